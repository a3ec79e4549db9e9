import { eraseLogin } from '../../images/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/registry-logout.ts';
import { registryOptions, parseRegistry } from './images/registry-options.ts';

/** `op-sdk registry logout`. */
export const run: Action<typeof command> = async (context, options, [text = '']) => {
  const registry = parseRegistry(text);
  const { file, erased, leftIn } = await eraseLogin(registry, registryOptions(context, options));
  const done = erased ? `removed the credentials for ${registry}` : `not logged in to ${registry}`;
  const left = leftIn === undefined ? '' : `\nother credentials are still used: ${leftIn}`;
  return {
    result: { registry, file, erased, ...(leftIn === undefined ? {} : { leftIn }) },
    text: done + left,
  };
};
