import type { Action } from '../command.ts';
import type { command } from '../commands/completion.ts';
import { shellScript } from '../completion/shell-script.ts';

/** `op-sdk completion`. */
export const run: Action<typeof command> = (_context, _options, [shell]) => {
  const text = shellScript(shell);
  return Promise.resolve({ result: { shell, script: text }, text });
};
