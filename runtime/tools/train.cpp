// dtp-train: trains what `dtpc emit libtorch` wrote as JSON.
#include "runtime/train/train_main.h"

int main(int argc, char** argv) { return dtp::runtime::train_main(argc, argv); }
