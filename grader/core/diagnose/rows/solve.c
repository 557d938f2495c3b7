// solve.c: linear equations, for weights that are fitted to wrong rows.
#include "reductions.h"

#include <math.h>

int lab_solve(int n, double *g, double *x) {
    const int width = n + 1;
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int k = i; k < n; k++)
            if (fabs(g[k * width + i]) > fabs(g[pivot * width + i])) pivot = k;
        if (fabs(g[pivot * width + i]) < 1e-9) return 0;
        for (int j = 0; j <= n; j++) {
            const double y = g[i * width + j];
            g[i * width + j] = g[pivot * width + j], g[pivot * width + j] = y;
        }
        for (int k = 0; k < n; k++)
            for (int j = n; j >= i && k != i; j--)
                g[k * width + j] -= g[k * width + i] / g[i * width + i] * g[i * width + j];
    }
    for (int i = 0; i < n; i++) x[i] = g[i * width + n] / g[i * width + i];
    return 1;
}
