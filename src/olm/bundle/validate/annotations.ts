import { mapOf } from './fields.ts';
import type { LoadedBundle, PlacedDocument, BundleObject, Complain } from './types.ts';

const prefix = 'operators.operatorframework.io.bundle.';

/** The annotations of `metadata/annotations.yaml` that OLM reads. */
export const annotationKeys = {
  mediaType: `${prefix}mediatype.v1`,
  manifests: `${prefix}manifests.v1`,
  metadata: `${prefix}metadata.v1`,
  package: `${prefix}package.v1`,
  channels: `${prefix}channels.v1`,
  defaultChannel: `${prefix}channel.default.v1`,
} as const;

/** The text of an annotation, as Go reads it: other scalars become texts. Undefined if it is missing. */
export function annotationOf(
  { annotations }: Pick<LoadedBundle, 'annotations'>,
  key: string,
): string | undefined {
  return annotations === undefined ? undefined : annotationIn(annotations, key);
}

/** Like {@link annotationOf}, of a given file of `metadata/`. */
export function annotationIn(file: PlacedDocument, key: string): string | undefined {
  return annotationText(mapOf(file.value['annotations'])[key]);
}

/** Returns the text that Go reads into a map of texts. */
export function annotationText(value: unknown): string | undefined {
  if (value === null) return '';
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? String(value) : undefined;
}

/** OLM keeps these keys apart by case; another case is not found. Source: operator-framework/api `annotations.go`. */
const caseSensitive = [
  'olm.operatorGroup',
  'olm.operatorNamespace',
  'olm.targetNamespaces',
  'olm.providedAPIs',
  'olm.skipRange',
];

interface NamesReport {
  readonly error: Complain<'bundle/annotation-case'>;
  readonly warn: Complain<'bundle/properties-annotation'>;
}

/** Reports faults in the names of annotations, of ClusterServiceVersions and of OperatorGroups. */
export function reportAnnotationNames(object: BundleObject, { error, warn }: NamesReport): void {
  for (const key of Object.keys(mapOf(mapOf(object.value['metadata'])['annotations']))) {
    const path = ['metadata', 'annotations', key];
    const right = caseSensitive.find((known) => known.toLowerCase() === key.toLowerCase());
    if (right !== undefined && right !== key)
      error(
        'bundle/annotation-case',
        [object, path],
        `OLM does not find the annotation ${key}`,
        `write ${right}`,
      );
    if (key === 'olm.properties') {
      const message = 'the annotation olm.properties is the old place of properties';
      warn('bundle/properties-annotation', [object, path], message, 'move them to metadata/properties.yaml');
    }
  }
}

export interface DockerfileLabel {
  readonly key: string;
  /** Undefined if the value holds a variable, which only a build knows. */
  readonly value: string | undefined;
  /** Counts from 1. */
  readonly line: number;
}

interface Instruction {
  readonly word: string;
  readonly rest: string;
  readonly line: number;
}

/**
 * The labels that the LABEL instructions of a Dockerfile set: `key=value`, quoted or not, several to an instruction, over
 * several lines, and the old form `key value`. Of a key that is set twice, the last one counts, as in a build.
 * @see https://docs.docker.com/reference/dockerfile/#label
 */
export function dockerfileLabels(text: string): readonly DockerfileLabel[] {
  const labels = new Map<string, DockerfileLabel>();
  for (const { word, rest, line } of instructions(text)) {
    if (word !== 'LABEL') continue;
    for (const [key, value] of pairs(rest)) labels.set(key, { key, value, line });
  }
  return [...labels.values()];
}

/** The sources of the COPY and ADD instructions of a Dockerfile. */
export function copiedSources(text: string): readonly string[] {
  return instructions(text)
    .filter(({ word }) => word === 'COPY' || word === 'ADD')
    .flatMap(({ rest }) =>
      rest
        .split(/\s+/)
        .filter((part) => part !== '' && !part.startsWith('--'))
        .slice(0, -1),
    );
}

function instructions(text: string): readonly Instruction[] {
  const found: Instruction[] = [];
  let open: { text: string; line: number } | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    // Comments and empty lines may stand inside of an instruction; they do not end it.
    if (/^\s*(?:#|$)/.test(raw)) continue;
    const continues = /\\\s*$/.test(raw);
    const line = raw.replace(/\\\s*$/, ' ');
    open = open === undefined ? { text: line, line: index + 1 } : { text: open.text + line, line: open.line };
    if (continues) continue;
    found.push(instruction(open.text, open.line));
    open = undefined;
  }
  return open === undefined ? found : [...found, instruction(open.text, open.line)];
}

function instruction(text: string, line: number): Instruction {
  const [, word = '', rest = ''] = /^\s*(\S+)\s*(.*)$/s.exec(text) ?? [];
  return { word: word.toUpperCase(), rest: rest.trim(), line };
}

const quoted = `"(?:[^"\\\\]|\\\\.)*"|'[^']*'`;
const wordForm = new RegExp(`(?:${quoted}|\\\\.|[^\\s"'\\\\])+`, 'gs');

function pairs(rest: string): readonly (readonly [string, string | undefined])[] {
  const words = rest.match(wordForm) ?? [];
  const [first = ''] = words;
  if (!first.includes('=')) {
    const value = rest.slice(first.length).trim();
    return first === '' ? [] : [[unquote(first) ?? first, unquote(value)]];
  }
  return words.map((word) => {
    const [, key = word, value = ''] = new RegExp(`^(${quoted}|[^=]*)=(.*)$`, 's').exec(word) ?? [];
    return [unquote(key) ?? key, unquote(value)];
  });
}

/** The text that the quotes and backslashes stand for; undefined with a variable in it. */
function unquote(text: string): string | undefined {
  if (/(?:^|[^\\])\$[\w{]/.test(text.replace(/'[^']*'/g, ''))) return undefined;
  return text.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_all, double, single, escaped) =>
    typeof double === 'string' ? double.replace(/\\(.)/gs, '$1') : String(single ?? escaped),
  );
}

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const hostPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const host = `(?:${hostPart}(?:\\.${hostPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const tag = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const form = new RegExp(`^(?:(${host})/)?(${component}(?:/${component})*)(?::(${tag}))?(?:@(${digest}))?$`);

/** The digests that everybody knows, and how many hexadecimal digits they have. */
const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/**
 * Returns the fault of an image's name; undefined if it is valid.
 * Source: github.com/distribution/reference `ParseNormalizedNamed`.
 */
export function imageNameProblem(text: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
  if (scheme !== undefined) return `the name of an image has no scheme such as ${scheme}://`;
  if (/^[a-f0-9]{64}$/.test(text)) return 'it is a bare digest, not the name of an image';
  const match = form.exec(text);
  if (match === null)
    return 'it is not of the form [registry/]repository[:tag][@digest], with the repository in lower case';
  const [, , repository = '', , sum] = match;
  if (repository.length > 255) return `its repository has ${repository.length} characters; 255 are allowed`;
  if (sum === undefined) return undefined;
  const [algorithm = '', hex = ''] = sum.split(':');
  const length = digestLengths[algorithm];
  if (length === undefined) return `unknown digest algorithm ${algorithm}; sha256 is usual`;
  return hex.length === length && /^[0-9a-f]+$/.test(hex)
    ? undefined
    : `its digest is not ${algorithm}: and ${length} hexadecimal digits in lower case`;
}
