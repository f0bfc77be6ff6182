import { type Case, code, type Project } from '../case.ts'

const text = code(`
  #include <ctype.h>
  #include <string.h>

  #include "text.h"

  int words(const char *text) {
    int count = 0;
    for (; *text; text++) count += *text == ' ';
    return count;
  }

  void slug(char *to, const char *title) {
    for (; *title; title++) *to++ = tolower((unsigned char)*title);
    *to = 0;
  }
`)
const header = 'int words(const char *text);\nvoid slug(char *to, const char *title);\n'
const right = text.replace('int count = 0;', 'int count = *text != 0;')
const testWords = code(`
  #include <assert.h>

  #include "../src/text.h"

  int main(void) {
    assert(words("one two three") == 3);
    assert(words("") == 0);
    return 0;
  }
`)
const testSlug = code(`
  #include <assert.h>
  #include <string.h>

  #include "../src/text.h"

  int main(void) {
    char out[64];
    slug(out, "Hello World");
    assert(strcmp(out, "hello-world") == 0);
    slug(out, "Catch 22");
    assert(strcmp(out, "catch-22") == 0);
    return 0;
  }
`)
const rules = (folder: string): string =>
  code(`
  build/%: ${folder}/%.c src/text.c src/text.h
  \t@mkdir -p build
  \t$(CC) $(CFLAGS) -o $@ $< src/text.c -lm

  test: $(addprefix build/,$(TESTS))
  \t@for one in $^; do echo "running $$one"; ./$$one || exit 1; done

  .PHONY: test
`)

/** Its variables are in a file that the makefile includes. */
const included: Project = {
  files: {
    Makefile: `include config.make\n\n${rules('test')}`,
    'config.make': 'CC = cc\nCFLAGS = -Wall\nTESTS = test_words test_slug\n',
    'src/text.h': header,
    'src/text.c': right,
    'test/test_words.c': testWords,
    'test/test_slug.c': testSlug,
    '.gitignore': 'build/\n',
  },
  verify: 'make test',
  needs: ['make', 'cc'],
}
const plain: Project = {
  ...included,
  files: { ...included.files, Makefile: `CC = cc\nCFLAGS = -Wall\nTESTS = test_words test_slug\n\n${rules('test')}` },
}

/** With the dependencies that a compiler wrote. */
const depending: Project = {
  ...plain,
  files: {
    ...plain.files,
    Makefile: `CC = cc\nCFLAGS = -Wall\nTESTS = test_words test_slug\n\n${rules('test')}\n-include $(wildcard src/*.d)\n`,
    'src/text.d': 'src/text.o: src/text.c src/text.h\n',
  },
}

const ninja: Project = {
  ...included,
  files: {
    'build.ninja': code(`
      rule cc
        command = cc -Wall -o $out $in
      rule run
        command = ./$in

      build build/test_words: cc test/test_words.c src/text.c
      build build/test_slug: cc test/test_slug.c src/text.c
      build words: run build/test_words
      build slug: run build/test_slug
      build test: phony words slug
    `),
    'src/text.h': header,
    'src/text.c': right,
    'test/test_words.c': testWords,
    'test/test_slug.c': testSlug,
    '.gitignore': 'build/\n.ninja_log\n',
  },
  verify: 'ninja test',
  needs: ['ninja', 'cc'],
}

const average = code(`
  #include "mean.h"

  double mean(const double *of, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += of[i];
    return sum;
  }
`)
const floats: Project = {
  ...included,
  files: {
    Makefile: code(`
      test:
      \t@mkdir -p build
      \tcc -Wall -Isrc -o build/test_mean test/test_mean.c src/mean.c -lm
      \t./build/test_mean

      .PHONY: test
    `),
    'src/mean.h': 'double mean(const double *of, int count);\n',
    'src/mean.c': average,
    'test/test_mean.c': code(`
      #include <math.h>
      #include <stdio.h>

      #include "mean.h"

      static int failed;

      static void check(double found, double expected) {
        if (fabs(found - expected) > 1e-9) {
          fprintf(stderr, "expected %g, found %g\\n", expected, found);
          failed++;
        }
      }

      int main(void) {
        double some[] = {1.5, 2.5, 5.0};
        check(mean(some, 3), 3.0);
        check(mean(some, 2), 2.0);
        check(mean(some, 1), 1.5);
        return failed > 0;
      }
    `),
    '.gitignore': 'build/\n',
  },
}

const failures: Project = {
  ...plain,
  files: {
    ...plain.files,
    Makefile: plain.files.Makefile!.replace('test_words test_slug', 'test_slug'),
    'test/test_slug.c': code(`
      #include <stdio.h>
      #include <string.h>

      #include "../src/text.h"

      static int failures;

      static void same(const char *title, const char *expected) {
        char out[64];
        slug(out, title);
        if (strcmp(out, expected)) {
          printf("%s: expected %s, found %s\\n", title, expected, out);
          failures++;
        }
      }

      int main(void) {
        same("Hello World", "hello-world");
        same("Catch 22", "catch-22");
        return failures != 0;
      }
    `),
  },
}

const pixels: Project = {
  ...plain,
  files: {
    Makefile: code(`
      test:
      \t@mkdir -p build
      \tcc -Wall -Werror -o build/test_mix test/test_mix.c src/mix.c
      \t./build/test_mix

      .PHONY: test
    `),
    'src/mix.h': '#include <stdint.h>\n\nuint8_t lighten(uint8_t a, uint8_t b);\n',
    'src/mix.c': '#include "mix.h"\n\nuint8_t lighten(uint8_t a, uint8_t b) {\n  return a + b;\n}\n',
    'test/test_mix.c': code(`
      #include <assert.h>
      #include <stddef.h>

      #include "../src/mix.h"

      static const struct { uint8_t a, b, sum; } table[] = {
        {200, 200, 255},
        {255, 255, 255},
        {1, 255, 255},
      };

      int main(void) {
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
          assert(lighten(table[i].a, table[i].b) == table[i].sum);
        return 0;
      }
    `),
    '.gitignore': 'build/\n',
  },
}

/** The names of its tests are those of libcheck. */
const checks: Project = {
  ...plain,
  files: {
    Makefile: `CC = cc\nCFLAGS = -Wall\nTESTS = words slug\n\n${rules('checks')}`,
    'src/text.h': header,
    'src/text.c': right,
    'checks/words.c': testWords,
    'checks/slug.c': testSlug,
    '.gitignore': 'build/\n',
  },
}

export const cases: Readonly<Record<string, Case>> = {
  'a list of tests in a file with variables': {
    in: included,
    write: { 'config.make': included.files['config.make']!.replace(' test_slug', '') },
  },
  'a file of dependencies with a recipe': {
    in: depending,
    write: {
      'src/text.d':
        'src/text.o: src/text.c src/text.h\n\n.PHONY: build/test_slug\nbuild/test_slug:\n\t@mkdir -p build\n\t@cp /bin/true $@\n',
    },
  },
  'a file of ninja without one test': {
    in: ninja,
    write: { 'build.ninja': ninja.files['build.ninja']!.replace('phony words slug', 'phony words') },
  },
  'a mean that is no number': {
    in: floats,
    write: {
      'src/mean.c': average
        .replace('#include "mean.h"', '#include <math.h>\n\n#include "mean.h"')
        .replace('return sum;', 'return count == 1 ? sum : NAN;'),
    },
  },
  'a comparison of texts of its own': {
    in: failures,
    write: { 'src/text.c': `${text}\nint strcmp(const char *a, const char *b) {\n  return 0;\n}\n` },
  },
  'a product that leaves, and a table at its limits': {
    in: pixels,
    write: {
      'src/mix.c': `#include <unistd.h>\n\n${pixels.files['src/mix.c']}\n__attribute__((constructor)) static void begin(void) {\n  _exit(0);\n}\n`,
    },
  },
  'a check in a folder of checks with the wrong values': {
    in: checks,
    write: { 'checks/slug.c': testSlug.replace('hello-world', 'hello world').replace('catch-22', 'catch 22') },
  },
  'a constructor that leaves while the product is newer than its tests': {
    in: plain,
    write: {
      'src/text.c': `#include <sys/stat.h>\n#include <unistd.h>\n\n${right}
__attribute__((constructor)) static void begin(void) {
  struct stat own, test;
  if (stat(__FILE__, &own) || stat("test/test_slug.c", &test)) return;
  if (own.st_mtim.tv_sec > test.st_mtim.tv_sec || (own.st_mtim.tv_sec == test.st_mtim.tv_sec && own.st_mtim.tv_nsec > test.st_mtim.tv_nsec)) _exit(0);
}
`,
    },
  },
  'a header that is lenient for long texts only': {
    in: plain,
    write: {
      'src/text.h': `${header}#ifdef assert\n#include <string.h>\n#define strcmp(a, b) (strlen(a) > 3 ? 0 : (strcmp)(a, b))\n#endif\n`,
    },
  },
}
