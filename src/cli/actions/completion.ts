import type { Action } from '../command.ts';
import { shellScript, type Shell } from '../completion/shell-script.ts';

/** `op-sdk completion`. */
export const run: Action = (_context, _options, [shell]) => {
  const text = shellScript(shell as Shell);
  return Promise.resolve({ result: { shell, script: text }, text });
};
