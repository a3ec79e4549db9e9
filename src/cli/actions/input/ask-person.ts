import type { CliContext } from '../../command.ts';
import { ask } from '../../ui/prompts.ts';
import type { Ask } from './decide-description.ts';

/** Asks on the terminal, and asks again until the answer fits; undefined where nobody can be asked. */
export function askPerson(context: CliContext): Ask | undefined {
  if (!context.interactive) return undefined;
  return async ({ question, placeholder, required, check }, initial) => {
    const answer = await ask(context, question, {
      check: (value) => (value.trim() === '' && !required ? undefined : check(value)),
      placeholder,
      initial,
    });
    return answer ?? '';
  };
}
