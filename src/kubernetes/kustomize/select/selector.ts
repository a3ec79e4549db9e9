import { RE2JS } from 're2js';
import type { ResourceId } from '../resource.ts';
import { labelsMatch, parseLabelSelector } from '../../../base/util/label-selector.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';

/** Fields of a selector as written in patches and replacements. */
export interface SelectorFields {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly annotationSelector?: string;
}

/** Parsed selector. Each member is a function that tests a property of a resource. */
export interface Selector {
  kind(id: Pick<ResourceId, 'group' | 'version' | 'kind'>): boolean;
  readonly name: NameTest;
  readonly namespace: NameTest;
  readonly labels: LabelTest;
  readonly annotations: LabelTest;
}

/** A problem with a field of a selector. */
interface SelectorProblem {
  readonly field: keyof SelectorFields;
  readonly message: string;
}

/**
 * Parses the fields of a selector.
 * @returns the selector, or all problems with its fields
 */
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

/** Tests if labels or annotations match a selector. */
type LabelTest = (labels: Json | undefined) => boolean;

/**
 * Parses a selector, as in `kubectl get -l`, for labels or annotations of a manifest. The values in a manifest may be other values than
 * texts.
 *
 * @throws LabelSelectorError if the selector is not valid
 */
function metadataTest(text: string): LabelTest {
  const requirements = parseLabelSelector(text);
  return (labels) => {
    const texts = Object.entries(isObject(labels) ? labels : {}).flatMap(([key, value]) =>
      typeof value === 'object' ? [] : [[key, String(value)] as const],
    );
    return labelsMatch(requirements, Object.fromEntries(texts));
  };
}

/** Tests if a name, or another part of a resource's id, matches a pattern of a selector. */
type NameTest = (text: string) => boolean;

/**
 * Converts a pattern, which is a regular expression of Go, to a test.
 *
 * @param pattern undefined or empty for a pattern that matches everything
 * @param where `whole` if the pattern must match all of the text, as in selectors; `anywhere` if a match of a part suffices
 * @throws RE2JSException, which extends Error
 */
export function parseNamePattern(
  pattern: string | undefined,
  where: 'whole' | 'anywhere' = 'whole',
): NameTest {
  if (pattern === undefined || pattern === '') return () => true;
  // Almost every pattern is a plain name, so a comparison of texts replaces the regular expression.
  if (/^[\w-]+$/.test(pattern))
    return (text) => (where === 'whole' ? text === pattern : text.includes(pattern));
  const compiled = RE2JS.compile(where === 'whole' ? `^(?:${pattern})$` : pattern);
  return (text) => compiled.matcher(text).find();
}

/** Returns the labels or annotations of an object. */
export function metaOf(object: JsonObject, field: 'labels' | 'annotations'): Json | undefined {
  const metadata = object['metadata'];
  return isObject(metadata) ? metadata[field] : undefined;
}
