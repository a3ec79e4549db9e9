import { isOpSdkError } from '../../../base/errors/index.ts';
import { defineCheck, ok, problemOf } from '../check.ts';

/** Checks that the declarations of kinds and controllers can be read. */
export const sources = defineCheck({
  name: 'sources',
  needs: ['project'],
  async run(_facts, _world, attempt) {
    const kinds = await attempt('kinds');
    if ('error' in kinds) {
      if (!isOpSdkError(kinds.error)) throw kinds.error;
      return problemOf(kinds.error.findings, 'op-sdk generate manifests --check');
    }
    const { declared, used } = kinds.value;
    const controllers = used.filter(({ role }) => role === 'for').length;
    return ok(`${count(declared.length, 'kind')}, ${count(controllers, 'controller')}`);
  },
});

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
