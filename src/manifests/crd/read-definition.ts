import type { FindingList } from '../../errors/index.ts';
import { defaultPlural } from '../../project/index.ts';
import type { Evaluated, EvaluatedProperty, SourcePlace } from '../../schema/index.ts';
import { closestName } from '../../util/closest-name.ts';
import {
  invalidDeclaration,
  isAbsent,
  readArray,
  readObject,
  readScalar,
  readStrings,
  type Placed,
} from '../read-value.ts';
import { readColumn } from './read-column.ts';
import { readConversion } from './read-conversion.ts';
import { readDeprecated } from './read-deprecated.ts';
import { readMetadata } from './read-metadata.ts';
import { readCelRules } from './read-rules.ts';
import { readStandardFields } from './read-standard-fields.ts';
import { readEmptySubresources, readScale, readSelectableFields } from './read-subresources.ts';
import type { KindVersion } from './kind-version.ts';

const properties = [
  'group',
  'version',
  'kind',
  'scope',
  'plural',
  'singular',
  'listKind',
  'shortNames',
  'categories',
  'printerColumns',
  'served',
  'storage',
  'deprecated',
  'status',
  'subresources',
  'scale',
  'selectableFields',
  'conversion',
  'labels',
  'annotations',
  'versionOrder',
  'standardFields',
  'cel',
];

/**
 * Reads the argument of one `defineResource` call.
 * @param definition the evaluated argument
 * @param call where the call stands
 * @returns undefined if a part that everything else hangs on is missing; the findings say which
 */
export function readDefinition(
  findings: FindingList,
  definition: Evaluated | undefined,
  call: SourcePlace,
): KindVersion | undefined {
  if (definition === undefined) {
    findings.add(
      invalidDeclaration(
        'defineResource takes an object',
        call,
        'write { group, version, kind } with their values',
      ),
    );
    return undefined;
  }
  const fields = readObject(findings, definition, 'defineResource', properties);
  if (fields === undefined) return undefined;
  const string = (name: string): Placed<string> | undefined =>
    readScalar(findings, fields.get(name), `\`${name}\``, 'string');
  const required = (name: string): Placed<string> | undefined => {
    const hole = definition.type === 'object' && definition.holes.length > 0;
    if (isAbsent(fields.get(name)) && !hole)
      findings.add(
        invalidDeclaration(`defineResource lacks \`${name}\``, definition.place, `add \`${name}: '…'\``),
      );
    return string(name);
  };
  const [group, version, kind] = [required('group'), required('version'), required('kind')];
  const [plural, singular, listKind] = [string('plural'), string('singular'), string('listKind')];
  const scope = readScope(findings, fields.get('scope'), call);
  const shortNames = readStrings(findings, fields.get('shortNames')?.value, '`shortNames`') ?? [];
  const categories = readStrings(findings, fields.get('categories')?.value, '`categories`') ?? [];
  const columns = readArray(findings, fields.get('printerColumns')?.value, '`printerColumns`') ?? [];
  const served = readScalar(findings, fields.get('served'), '`served`', 'boolean');
  const storage = readScalar(findings, fields.get('storage'), '`storage`', 'boolean');
  const readColumns = columns.flatMap((column) => readColumn(findings, column) ?? []);
  const rest = {
    deprecated: readDeprecated(findings, fields.get('deprecated')),
    deprecatedAt: fields.get('deprecated')?.value.place,
    status: readScalar(findings, fields.get('status'), '`status`', 'boolean'),
    emptySubresources: readEmptySubresources(findings, fields.get('subresources')),
    scale: readScale(findings, fields.get('scale')),
    selectableFields: readSelectableFields(findings, fields.get('selectableFields')),
    conversion: readConversion(findings, fields.get('conversion')),
    labels: readMetadata(findings, 'labels', fields.get('labels')),
    annotations: readMetadata(findings, 'annotations', fields.get('annotations')),
    versionOrder: readVersionOrder(findings, fields.get('versionOrder')),
    standardFields: readStandardFields(findings, fields.get('standardFields')),
    cel: readCelRules(findings, fields.get('cel')),
  };
  if (group === undefined || version === undefined || kind === undefined) return undefined;
  const derived = (value: string): Placed<string> => ({ value, place: kind.place });
  return {
    group,
    version,
    kind,
    scope,
    plural: plural ?? derived(defaultPlural(kind.value)),
    singular: singular ?? derived(kind.value.toLowerCase()),
    listKind: listKind ?? derived(`${kind.value}List`),
    shortNames,
    categories,
    emptyLists: emptyLists(fields),
    columns: readColumns,
    served: served?.value ?? true,
    storage,
    ...rest,
    place: call,
  };
}

function readVersionOrder(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): KindVersion['versionOrder'] {
  const value = readStrings(findings, property?.value, '`versionOrder`');
  return property === undefined || value === undefined ? undefined : { value, place: property.place };
}

const scopes = ['Namespaced', 'Cluster'] as const;

function readScope(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
  call: SourcePlace,
): Placed<'Namespaced' | 'Cluster'> {
  const written = readScalar(findings, property, '`scope`', 'string');
  if (written === undefined) return { value: 'Namespaced', place: property?.place ?? call };
  const scope = scopes.find((candidate) => candidate === written.value);
  if (scope === undefined) {
    const closest = closestName(written.value, scopes);
    const fix = closest === undefined ? "write 'Namespaced' or 'Cluster'" : `did you mean '${closest}'?`;
    findings.add(
      invalidDeclaration(
        `\`scope\` is '${written.value}'; it is 'Namespaced' or 'Cluster'`,
        written.place,
        fix,
      ),
    );
  }
  return { value: scope ?? 'Namespaced', place: written.place };
}

/** `[]` is what it says, not the same as nothing. */
function emptyLists(fields: ReadonlyMap<string, EvaluatedProperty>): ReadonlySet<string> {
  const lists = [...fields].filter(([, { value }]) => value.type === 'array' && value.items.length === 0);
  return new Set(lists.map(([name]) => name));
}
