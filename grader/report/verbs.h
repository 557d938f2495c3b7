// verbs.h: what the program report can do. Each gets the arguments behind its verb and returns the exit status.
#ifndef LAB_VERBS_H
#define LAB_VERBS_H

int lab_report_plots(int argc, char **argv);
int lab_report_page(int argc, char **argv);
int lab_report_fill(int argc, char **argv);
int lab_report_gradebook(int argc, char **argv);
int lab_report_class(int argc, char **argv);
int lab_report_leaderboard(int argc, char **argv);
int lab_report_answers(int argc, char **argv);
int lab_report_schema(int argc, char **argv);

#endif
