import { LabelSelectorError, labelsMatch, parseLabelSelector } from '../../../base/util/label-selector.ts';
import { objectOf, jsonTextOf, type Json, type JsonObject } from '../json.ts';
import { valueAt, type ServedKind } from '../kinds/served-kind.ts';
import { badRequest } from '../status-error.ts';

/** Returns true for an object that belongs to a list or watch. */
export type Test = (object: JsonObject) => boolean;

/** Builds the test for the namespace, label and field selectors of a query. @throws StatusError 400 */
export function selection(kind: ServedKind, namespace: string, query: URLSearchParams): Test {
  const byLabel = labelTest(query.get('labelSelector') ?? '');
  const byField = fieldTest(kind, query.get('fieldSelector') ?? '');
  return (object) => {
    const metadata = objectOf(object['metadata']);
    return (
      (namespace === '' || metadata['namespace'] === namespace) &&
      byLabel(objectOf(metadata['labels']) as Record<string, string>) &&
      byField(object)
    );
  };
}

function labelTest(selector: string): (labels: Readonly<Record<string, string>>) => boolean {
  try {
    const requirements = parseLabelSelector(selector);
    return (labels) => labelsMatch(requirements, labels);
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    throw badRequest(`unable to parse requirement: ${error.message}`);
  }
}

function fieldTest(kind: ServedKind, selector: string): Test {
  const terms = selector.split(',').filter((term) => term !== '');
  const tests = terms.map((term): Test => {
    const parts = /^(.*?)(!=|==|=)(.*)$/.exec(term);
    if (parts === null)
      throw badRequest(`invalid field selector: invalid selector: '${selector}'; can't understand '${term}'`);
    const [, path = '', operator, wanted = ''] = parts;
    const isKnown =
      path === 'metadata.name' ||
      (path === 'metadata.namespace' && kind.namespaced) ||
      kind.selectableFields.includes(path);
    if (!isKnown) throw badRequest(`field label not supported: ${path}`);
    return (object) => (fieldText(object, path) === wanted) === (operator !== '!=');
  });
  return (object) => tests.every((test) => test(object));
}

function fieldText(object: JsonObject, path: string): string {
  if (path.startsWith('metadata.'))
    return jsonTextOf(objectOf(object['metadata'])[path.slice('metadata.'.length)]);
  const value = valueAt(object, path);
  return value === undefined || value === null ? '' : textual(value);
}

/** Selectable fields are texts, integers or booleans. */
function textual(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
