import type { Finding } from '../../../base/errors/index.ts';

/** Both sides of a comparison are `-`. */
export function stdinTwice(): Finding {
  return {
    code: 'diff/stdin-twice',
    message: 'OLD and NEW are both standard input',
    fix: ['write one of them to a file, or use process substitution: <(…)'],
  };
}
