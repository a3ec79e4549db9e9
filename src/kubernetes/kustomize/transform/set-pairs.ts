import type { FindingList } from '../../../base/errors/index.ts';
import { isObject, type Holder, type Resource } from '../resource.ts';
import { shareText, spreadText } from '../shared-texts.ts';
import { describe, setKey, ShapeError, visitFields, type FieldSpec } from './field-spec.ts';
import { reportShape } from './report-shape.ts';

/**
 * Sets labels or annotations in all fields that the specs mean, and in those that have them in common with these.
 *
 * @param what for messages, such as `labels`
 */
export function setPairs(
  resources: readonly Resource[],
  pairs: Readonly<Record<string, string>>,
  specs: readonly FieldSpec[],
  what: string,
  findings: FindingList,
): void {
  const entries = Object.entries(pairs);
  if (entries.length === 0) return;
  const dollars = entries.filter(([, text]) => text.includes('$'));
  for (const resource of resources) {
    const added = new Map<string, Holder[]>(entries.map(([key]) => [key, []]));
    reportShape(resource, what, findings, () => {
      for (const spec of specs) {
        let isSet = false;
        visitFields(resource, spec, 'mapping', (slot) => {
          const value = slot.get();
          // A null that may not be made stays null, as in kustomize.
          if (value === null) return;
          if (!isObject(value)) throw new ShapeError(spec.path, `it is ${describe(value)}, not a mapping`);
          for (const [key, text] of entries) {
            const holder = { mapping: value, key };
            if (Object.hasOwn(value, key)) spreadText(resource, holder, text);
            else added.get(key)?.push(holder);
            setKey(value, key, text);
          }
          isSet = true;
        });
        for (const [key, text] of isSet ? dollars : []) resource.dollars.push({ path: spec.path, key, text });
      }
    });
    for (const holders of added.values()) shareText(resource, holders);
  }
}
