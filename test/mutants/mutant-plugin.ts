import { readFileSync } from 'node:fs';
import type { Plugin } from 'vitest/config';
import { mutants, mutatedFolder } from './mutants.ts';

const query = /\?mutant=(\d+)$/;

/**
 * `collect-rules.ts?mutant=N` is the module with a rule disabled: it and the modules of src/compiler/manifests/rbac are loaded once more, one of
 * them with another text. The files stay as they are, and the modules of other folders are shared.
 */
export function mutantPlugin(): Plugin {
  return {
    name: 'opsdk-mutants',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const number = importer === undefined ? undefined : query.exec(importer)?.[1];
      if (importer === undefined || number === undefined) return undefined;
      const found = await this.resolve(source, importer.replace(query, ''), { ...options, skipSelf: true });
      return found?.id.startsWith(mutatedFolder) === true ? `${found.id}?mutant=${number}` : found;
    },
    load(id) {
      const number = query.exec(id)?.[1];
      const mutant = number === undefined ? undefined : mutants[Number(number)];
      const file = id.replace(query, '');
      if (mutant?.file !== file) return undefined;
      return readFileSync(file, 'utf8').replace(mutant.find, () => mutant.replace);
    },
  };
}
