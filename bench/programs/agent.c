#include <unistd.h>
static char text[1 << 16];
int main(void) {
  while (read(0, text, sizeof text) > 0) {}
  return write(1, "done\n", 5) == 5 ? 0 : 1;
}
