import type { CliContext } from '../../../../command.ts';
import { Interrupted } from '../../../../interrupted.ts';
import type { Ask } from './decide-description.ts';

/**
 * Asks on the terminal, and asks again until the answer fits; undefined where nobody can be asked.
 * @returns throws Interrupted if the person gives up
 */
export function askPerson(context: CliContext): Ask | undefined {
  if (!context.interactive) return undefined;
  return async ({ question, placeholder, required, check }, initial) => {
    const { isCancel, text } = await import('@clack/prompts');
    const answer = await text({
      message: question,
      placeholder,
      initialValue: initial,
      validate: (value = '') => (value.trim() === '' && !required ? undefined : check(value)),
      output: process.stderr,
      signal: context.signal,
    });
    if (isCancel(answer)) throw new Interrupted();
    return answer;
  };
}
