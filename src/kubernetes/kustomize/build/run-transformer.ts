import type { FindingList } from '../../../base/errors/index.ts';
import { hashNames } from '../generators/hash-names.ts';
import type { LoadedTransformer } from '../load/kustomization.ts';
import { applyPatches } from '../patches/index.ts';
import { applyReplacements } from '../replacements/index.ts';
import type { Resource } from '../resource.ts';
import { addPrefix, addSuffix } from '../transform/add-affixes.ts';
import { replaceImages } from '../transform/set-images.ts';
import { setNamespace } from '../transform/set-namespace.ts';
import { setPairs } from '../transform/set-pairs.ts';
import { setReplicas } from '../transform/set-replicas.ts';

/** Runs a transformer that a kustomization configures by itself: it changes the fields that it names, and no others. */
export function runTransformer(
  transformer: LoadedTransformer,
  resources: Resource[],
  findings: FindingList,
): void {
  switch (transformer.type) {
    case 'labels':
    case 'annotations':
      return setPairs(resources, transformer.pairs, transformer.specs, transformer.type, findings);
    case 'namespace': {
      const { namespace, specs, ...options } = transformer;
      if (namespace !== '') setNamespace(resources, namespace, specs, findings, options);
      return;
    }
    case 'affixes': {
      const { prefix = '', suffix = '', specs } = transformer;
      if (prefix !== '') addPrefix(resources, prefix, specs, findings);
      if (suffix !== '') addSuffix(resources, suffix, specs, findings);
      return;
    }
    case 'patches':
      return applyPatches(resources, transformer.patches, { findings });
    case 'image':
      return replaceImages(resources, transformer.rule, transformer.specs, findings);
    case 'replicas':
      return setReplicas(resources, transformer.rule, transformer.specs, findings);
    case 'replacements':
      return applyReplacements(resources, transformer.replacements, { findings });
    case 'hash':
      return hashNames(resources, findings);
  }
}
