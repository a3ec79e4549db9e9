import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import {
  kindProblem,
  label1035Problem,
  labelValueProblem,
  qualifiedNameProblem,
  subdomainProblem,
} from '../../objects/index.ts';
import { collect, type FieldPath, type Violation } from './violation.ts';

const approval = 'api-approved.kubernetes.io';
/** Matches API groups that are reserved for Kubernetes. Source: apiextensions `apihelpers.IsProtectedCommunityGroup`. */
const reservedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;
/** Maximum size of all annotations together, in bytes. Source: apimachinery `TotalAnnotationSizeLimitB`. */
const ANNOTATIONS_MAX = 262_144;

const labelFix = 'write lower-case letters, digits and dashes, a letter first';

/**
 * Checks `spec.group`, and the approval annotation that a group reserved for Kubernetes needs. Source: apiextensions
 * `validateCustomResourceDefinitionSpec`, `validateAPIApproval`.
 */
export function checkGroup(document: JsonMap): readonly Violation[] {
  const group = jsonTextOf(jsonMapOf(document['spec'])['group']);
  const path = ['spec', 'group'];
  const problem =
    subdomainProblem(group) ??
    (group.includes('.') ? undefined : 'it has no dot; a group ends in a domain, as in cache.example.com');
  return [
    ...collect('crd/group', (add) => {
      if (problem === undefined) return;
      const message = `the group ${JSON.stringify(group)} is not valid: ${problem}`;
      add(path, message, 'write a lower-case domain name, such as cache.example.com');
    }),
    ...collect('crd/reserved-group', (add) => {
      if (!reservedGroup.test(group)) return;
      const reason = jsonTextOf(jsonMapOf(jsonMapOf(document['metadata'])['annotations'])[approval]);
      if (reason.startsWith('unapproved') || isAddress(reason)) return;
      const found =
        reason === ''
          ? `needs the annotation ${approval}`
          : `has the annotation ${approval} with ${JSON.stringify(reason)}, which is neither a URL nor a reason that starts with "unapproved"`;
      add(
        reason === '' ? path : ['metadata', 'annotations', approval],
        `the group ${JSON.stringify(group)} is reserved for approved APIs of Kubernetes: the kind ${found}`,
        `use a group below a domain of your own, or set the annotation ${approval} to the address of the approval`,
      );
    }),
  ];
}

function isAddress(text: string): boolean {
  return /^[a-z][-+.a-z0-9]*:\/\/[^/]/i.test(text) && URL.canParse(text);
}

/**
 * Checks `spec.names`. The API server fills in an absent singular and list kind. Source: apiextensions
 * `ValidateCustomResourceDefinitionNames`.
 */
export function checkNames(spec: JsonMap): readonly Violation[] {
  const names = jsonMapOf(spec['names']);
  const at = (...rest: FieldPath): FieldPath => ['spec', 'names', ...rest];
  const kind = jsonTextOf(names['kind']);
  const wrongKind = kindProblem(kind);
  const invalid = (what: string, name: string, problem: string): string =>
    `${what} ${JSON.stringify(name)} is not valid: ${problem}`;
  const ofKind = collect('crd/kind', (add) => {
    if (wrongKind !== undefined)
      add(at('kind'), invalid('the kind', kind, wrongKind), 'write one CamelCase word, such as Memcached');
  });
  const ofNames = collect('crd/name', (add) => {
    // A finding for a name that is derived from an invalid kind would only repeat the finding for the kind.
    const isDerived = (name: string): boolean =>
      wrongKind !== undefined && name.toLowerCase().startsWith(kind.toLowerCase());
    for (const [field, what] of [
      ['plural', 'the plural'],
      ['singular', 'the singular'],
      ['listKind', 'the list kind'],
    ] as const) {
      const name = jsonTextOf(names[field]);
      const problem = field === 'listKind' ? kindProblem(name) : label1035Problem(name);
      if (name === '' || problem === undefined || isDerived(name)) continue;
      const fix = field === 'listKind' ? 'write one CamelCase word, such as MemcachedList' : labelFix;
      add(at(field), invalid(what, name, problem), fix);
    }
    if (kind !== '' && names['listKind'] === kind)
      add(at('listKind'), invalid('the list kind', kind, 'it is the kind itself'), 'remove it');
    for (const [field, what] of [
      ['shortNames', 'the short name'],
      ['categories', 'the category'],
    ] as const) {
      for (const [index, value] of jsonListOf(names[field]).entries()) {
        const problem = label1035Problem(jsonTextOf(value));
        if (problem !== undefined) add(at(field, index), invalid(what, jsonTextOf(value), problem), labelFix);
      }
    }
  });
  return [...ofKind, ...ofNames];
}

/** Checks `metadata`: labels, annotations, and the name, which is derived from other fields. Source: apimachinery `ValidateObjectMeta`. */
export function checkMetadata(document: JsonMap): readonly Violation[] {
  const metadata = jsonMapOf(document['metadata']);
  const { group, names } = jsonMapOf(document['spec']);
  const name = `${jsonTextOf(jsonMapOf(names)['plural'])}.${jsonTextOf(group)}`;
  const found = jsonTextOf(metadata['name']);
  return [
    ...collect('crd/name', (add) => {
      if (found !== '' && found !== name)
        add(
          ['metadata', 'name'],
          `the name of the definition must be <plural>.<group>: expected ${name}, got ${found}`,
          `write ${name}`,
        );
      else if (name.length > 253)
        add(
          ['metadata', 'name'],
          `the name ${JSON.stringify(name)} is not valid: plural and group together have ${name.length} characters; 253 are allowed`,
          'use a shorter group or plural',
        );
    }),
    ...collect('crd/metadata', (add) => {
      let size = 0;
      for (const [field, what] of [
        ['labels', 'a label'],
        ['annotations', 'an annotation'],
      ] as const) {
        for (const [key, value] of Object.entries(jsonMapOf(metadata[field]))) {
          // The API server lower-cases keys of annotations before it validates them. Source: apimachinery `ValidateAnnotations`.
          const problem = qualifiedNameProblem(field === 'labels' ? key : key.toLowerCase());
          const message = `the key ${JSON.stringify(key)} of ${what} is not valid: ${problem}`;
          if (problem !== undefined)
            add(['metadata', field, key], message, 'write name or prefix.example.com/name');
          const text = jsonTextOf(value);
          if (field === 'annotations') size += Buffer.byteLength(key) + Buffer.byteLength(text);
          const wrong = field === 'labels' ? labelValueProblem(text) : undefined;
          if (wrong !== undefined)
            add(
              ['metadata', field, key],
              `the value ${JSON.stringify(text)} of the label ${key} is not valid: ${wrong}`,
              'correct it, or write it as an annotation',
            );
        }
      }
      if (size > ANNOTATIONS_MAX)
        add(
          ['metadata', 'annotations'],
          `the annotations have ${size} bytes; ${ANNOTATIONS_MAX} are allowed`,
          'shorten them',
        );
    }),
  ];
}
