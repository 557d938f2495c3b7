// html.h: strings and numbers onto an HTML page; the only way onto it, as markdown.h is for Markdown.
#ifndef LAB_HTML_H
#define LAB_HTML_H

#include <stdio.h>

// Writes the format; a % begins one of
//   %s  a string of the lab's own, as it is         %t  any other string: escaped, one line, at most 400 bytes
//   %u  a relative path for a link: every byte but letters, digits and /._- in percent code
//   %i  an int            %f  a double as a coordinate, two digits after the point           %%  a %
// or a letter of lab_number (markdown.h), for a double. A string may be NULL: nothing is written.
void lab_html(FILE *out, const char *format, ...);

#endif
