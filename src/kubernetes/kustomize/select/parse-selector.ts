import type { ResourceId } from '../resource.ts';
import { metadataTest, type LabelTest } from './label-selector.ts';
import { parseNamePattern, type NameTest } from './name-pattern.ts';

/** The fields of a selector, as patches and replacements write it. */
export interface SelectorFields {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly annotationSelector?: string;
}

/** A selector, ready to be asked. */
export interface Selector {
  kind(id: Pick<ResourceId, 'group' | 'version' | 'kind'>): boolean;
  readonly name: NameTest;
  readonly namespace: NameTest;
  readonly labels: LabelTest;
  readonly annotations: LabelTest;
}

/** A problem with a field of a selector. */
export interface SelectorProblem {
  readonly field: keyof SelectorFields;
  readonly message: string;
}

/** @returns the selector, or all that is wrong with its fields */
export function parseSelector(
  fields: SelectorFields,
):
  | { readonly selector: Selector }
  | { readonly selector?: never; readonly problems: readonly SelectorProblem[] } {
  const problems: SelectorProblem[] = [];
  const parsed = <T>(field: keyof SelectorFields, parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      problems.push({ field, message: error.message.replace(/^error parsing regexp: /, '') });
      return undefined;
    }
  };
  const pattern = (field: 'group' | 'version' | 'kind' | 'name' | 'namespace'): NameTest =>
    parsed(field, () => parseNamePattern(fields[field])) ?? never;
  const labels = (field: 'labelSelector' | 'annotationSelector'): LabelTest =>
    parsed(field, () => metadataTest(fields[field] ?? '')) ?? never;

  const [group, version, kind] = [pattern('group'), pattern('version'), pattern('kind')];
  const selector: Selector = {
    kind: (id) => group(id.group) && version(id.version) && kind(id.kind),
    name: pattern('name'),
    namespace: pattern('namespace'),
    labels: labels('labelSelector'),
    annotations: labels('annotationSelector'),
  };
  return problems.length > 0 ? { problems } : { selector };
}

const never = (): boolean => false;
