import type { FindingList } from '../../../base/errors/index.ts';
import {
  bool,
  list,
  mapped,
  object,
  oneOf,
  record,
  string,
  integer,
  unchecked,
} from '../../../base/util/json-reader.ts';
import { type JsonReader, invalid } from '../../../base/util/read-json.ts';
import { fieldSpec } from '../config/read-config.ts';
import type { TransformerRule, ImageRule, ReplicaRule, ReplacementEntry } from '../entries.ts';
import { isObject, type Json } from '../../objects/index.ts';
import { parseYaml } from '../../yaml/index.ts';
import { refusePlugin, type PluginDocument } from './load-config.ts';
import { patchReader, patchReaders } from './read-patches.ts';
import { filledText, optionalText, readChecked, type Locate, written, reportParse } from './kustomization.ts';

const fields = written(object({ source: unchecked, sourceValue: unchecked, targets: unchecked }));

/** Reads a file that contains one replacement or a list of replacements. */
export function readReplacementFile(
  text: string,
  file: string,
  findings: FindingList,
): readonly ReplacementEntry[] {
  const document = reportParse(findings, () => parseYaml(text, file, 'as-written'));
  if (document === undefined) return [];
  const locate: Locate = (path) => document.locate(path);
  if (document.value === null) {
    findings.add({
      code: 'kustomize/invalid-value',
      message: 'the file holds no replacement',
      where: locate([]),
      fix: ['write a replacement, or a list of them, or remove the file from the kustomization'],
    });
    return [];
  }
  const entry = mapped(fields, ({ value }, { path }): ReplacementEntry => ({
    value,
    where: locate(path),
    locate: (inner) => locate([...path, ...inner]),
  }));
  const entries = Array.isArray(document.value) ? list(entry) : mapped(entry, (one) => [one]);
  return readChecked(entries, document.value, 'the replacement', locate, findings) ?? [];
}

/**
 * Reads the name of an image. kustomize uses the name as a regular expression. Only characters of image names are accepted, because they
 * mean the same in all dialects of regular expressions.
 */
const imageName = mapped(filledText, (name, place) =>
  /^[\w./:@-]+$/.test(name)
    ? name
    : invalid(
        place,
        `expected the name of an image, got ${JSON.stringify(name)}`,
        'name an image without its tag',
      ),
);

/** Reads an entry of `images`. */
export const imageReader: JsonReader<ImageRule> = mapped(
  object(
    {
      name: imageName,
      newName: optionalText,
      newTag: optionalText,
      tagSuffix: optionalText,
      digest: optionalText,
    },
    { required: { name: 'name the image' } },
  ),
  ({ name, ...changes }) => (name === undefined ? undefined : { name, ...changes }),
);

/** Returns a reader for an entry of `replicas`. */
export function replicaReader(locate: Locate): JsonReader<ReplicaRule> {
  return mapped(
    object(
      { name: filledText, count: integer },
      { required: { name: 'name the resource', count: 'add the count' } },
    ),
    ({ name, count }, { path }) =>
      name === undefined || count === undefined ? undefined : { name, count, where: locate(path) },
  );
}

const pairs = record(string);
const fieldSpecs = list(fieldSpec);

type ReadRule = (document: PluginDocument, findings: FindingList) => TransformerRule | undefined;

/**
 * Readers for kustomize's built-in transformers, by kind. Transformers that cannot run as plugins, and ValueAddTransformer, are left out.
 * Source: kustomize `api/internal/builtins`, `api/internal/plugins/builtinhelpers`.
 */
const transformers: ReadonlyMap<string | undefined, ReadRule> = new Map<string, ReadRule>([
  [
    'AnnotationsTransformer',
    reads(object({ annotations: pairs, fieldSpecs }), ({ annotations = {}, fieldSpecs: specs = [] }) => ({
      type: 'annotations',
      pairs: annotations,
      specs,
    })),
  ],
  [
    'LabelTransformer',
    reads(object({ labels: pairs, fieldSpecs }), ({ labels = {}, fieldSpecs: specs = [] }) => ({
      type: 'labels',
      pairs: labels,
      specs,
    })),
  ],
  ['NamespaceTransformer', readNamespace],
  ['PrefixTransformer', affixes({ prefix: string })],
  ['SuffixTransformer', affixes({ suffix: string })],
  ['PrefixSuffixTransformer', affixes({ prefix: string, suffix: string })],
  ['PatchTransformer', (document, findings) => readPatches(document, 'patches', document.fields, findings)],
  ['PatchStrategicMergeTransformer', readMergePatches],
  [
    'PatchJson6902Transformer',
    (document, findings) => {
      const { jsonOp, ...fields } = document.fields;
      const patch = jsonOp === undefined ? fields : { ...fields, patch: jsonOp };
      const { target } = fields;
      if (isObject(target) && (target['name'] ?? '') === '')
        findings.add({
          code: 'kustomize/invalid-value',
          message: 'the target of a PatchJson6902Transformer lacks `name`',
          where: document.locate(['target']),
          fix: ['add the name of the resource, or use a PatchTransformer'],
        });
      return readPatches(document, 'patchesJson6902', patch, findings);
    },
  ],
  [
    'ImageTagTransformer',
    reads(
      object(
        { imageTag: imageReader, fieldSpecs },
        { required: { imageTag: 'name the image and what becomes of it' } },
      ),
      ({ imageTag: rule, fieldSpecs: specs = [] }) => rule && { type: 'image', rule, specs },
    ),
  ],
  [
    'ReplicaCountTransformer',
    (document, findings) =>
      reads(
        object(
          { replica: replicaReader(document.locate), fieldSpecs },
          { required: { replica: 'name the resource and the count' } },
        ),
        ({ replica: rule, fieldSpecs: specs = [] }) => rule && { type: 'replicas', rule, specs },
      )(document, findings),
  ],
  [
    'ReplacementTransformer',
    (document, findings) =>
      reads(
        object({ replacements: patchReaders(document.locate).replacements }),
        ({ replacements = [] }) => ({ type: 'replacements', replacements }),
      )(document, findings),
  ],
  ['HashTransformer', reads(object({}), () => ({ type: 'hash' }))],
]);

/**
 * Reads the plugins that `transformers` names. Refuses external programs and functions and, like kustomize, two plugins of the same kind
 * and name.
 */
export function readTransformers(
  documents: readonly PluginDocument[],
  findings: FindingList,
  workaround: string,
): readonly TransformerRule[] {
  const known = new Set<string>();
  return documents.flatMap((document) => {
    const read = transformers.get(document.kind);
    if (read === undefined) {
      const what = document.kind === undefined ? 'transformer plugins' : document.kind;
      refusePlugin('transformers', what, document.locate([]), findings, workaround);
      return [];
    }
    const { name = '', namespace = '' } = readMetadata(document, findings);
    const id = `${document.kind ?? ''} ${namespace} ${name}`;
    if (known.has(id))
      findings.add({
        code: 'kustomize/duplicate-resource',
        message: `two ${document.kind ?? ''} have the same name ${name}`,
        where: document.locate(['metadata']),
        fix: ['give one of them another name'],
      });
    known.add(id);
    const rule = read(document, findings);
    return rule === undefined ? [] : [rule];
  });
}

const metadataReader = object(
  { name: filledText, namespace: optionalText },
  { required: { name: 'name the transformer' }, others: 'ignore' },
);

function readMetadata(
  { metadata, locate }: PluginDocument,
  findings: FindingList,
): { readonly name?: string; readonly namespace?: string } {
  const placed: Locate = (path) => locate(['metadata', ...path]);
  return readChecked(metadataReader, metadata, 'the metadata', placed, findings) ?? {};
}

function reads<T>(reader: JsonReader<T>, rule: (read: T) => TransformerRule | undefined): ReadRule {
  return ({ fields, locate }, findings) => {
    const read = readChecked(reader, fields, 'the transformer', locate, findings);
    return read === undefined ? undefined : rule(read);
  };
}

function affixes(fields: {
  readonly prefix?: JsonReader<string>;
  readonly suffix?: JsonReader<string>;
}): ReadRule {
  const reader = object(
    { ...fields, fieldSpecs },
    { required: { fieldSpecs: 'name the fields, such as path: metadata/name' } },
  );
  return reads(reader, ({ fieldSpecs: specs = [], ...given }) => ({ type: 'affixes', ...given, specs }));
}

function readNamespace(document: PluginDocument, findings: FindingList): TransformerRule | undefined {
  const { namespace = '' } = readMetadata(document, findings);
  const reader = object({
    fieldSpecs,
    unsetOnly: bool,
    setRoleBindingSubjects: oneOf('defaultOnly', 'allServiceAccounts', 'none'),
  });
  return reads(
    reader,
    ({ fieldSpecs: specs = [], unsetOnly = false, setRoleBindingSubjects = 'defaultOnly' }) => ({
      type: 'namespace',
      namespace,
      specs,
      unsetOnly,
      subjects: setRoleBindingSubjects,
    }),
  )(document, findings);
}

function readMergePatches(document: PluginDocument, findings: FindingList): TransformerRule | undefined {
  const { file, locate } = document;
  const reader = object({ paths: patchReaders(locate).patchesStrategicMerge, patches: optionalText });
  return reads(
    mapped(reader, (read, place) => {
      if ((read.paths ?? []).length === 0 && read.patches === undefined)
        place.report({
          path: place.path,
          message: 'expected paths or patches, found neither',
          fix: 'add one of them',
        });
      return read;
    }),
    ({ paths = [], patches }) => ({
      type: 'patches',
      file,
      patches: [
        ...paths,
        ...(patches === undefined
          ? []
          : [
              {
                source: { text: patches },
                from: 'patchesStrategicMerge' as const,
                where: locate(['patches']),
              },
            ]),
      ],
    }),
  )(document, findings);
}

function readPatches(
  { file, locate }: PluginDocument,
  from: 'patches' | 'patchesJson6902',
  fields: Json,
  findings: FindingList,
): TransformerRule | undefined {
  const patch = readChecked(patchReader(from, locate), fields, 'the transformer', locate, findings);
  return patch === undefined ? undefined : { type: 'patches', file, patches: [patch] };
}
