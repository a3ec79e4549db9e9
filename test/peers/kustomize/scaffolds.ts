import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addToYamlList } from '../../../src/kubernetes/yaml/splice.ts';
import type { Tree } from './oracle.ts';

const projects = join(import.meta.dirname, '../../golden/projects');

/** The golden projects with webhooks and conversions, by what is special about them. */
export const webhookProjects = {
  'cert-manager': 'cert-manager',
  'self-signed': 'self-signed',
  conversion: 'conversion',
  'core kind': 'core-webhook',
  'two kinds': 'webhooks',
  all: 'all-webhooks',
} as const;

/** A kustomization of a scaffolded project. */
export interface Scaffold extends Tree {
  readonly name: string;
  readonly folder: string;
}

/**
 * Every kustomization of every golden project: fresh, with each of its sections switched on, with all of them, and those that
 * have a list of patches also with one of the user's own in front of the sections.
 */
export function scaffolds(): readonly Scaffold[] {
  return readdirSync(projects).flatMap((project) => {
    const folder = join(projects, project);
    const files = readTree(folder, 'config');
    const folders = Object.keys(files)
      .filter((path) => path.endsWith('/kustomization.yaml'))
      .map((path) => path.slice(0, path.lastIndexOf('/')));
    return folders.flatMap((folder) => {
      const path = `${folder}/kustomization.yaml`;
      const text = files[path] ?? '';
      const sections = sectionsOf(text);
      const variants = [
        [],
        ...sections.map((section) => [section]),
        ...(sections.length > 1 ? [sections] : []),
      ];
      const named = variants.map((on) => ({
        name: `${project} ${folder}${on.length === 0 ? '' : `, with ${on.join(' and ')}`}`,
        text: switchOn(text, on),
      }));
      const patched = named.map(({ name, text: variant }) => ({
        name: `${name}, with a patch of the user's own`,
        text: addToYamlList(variant, ['patches'], ownPatch, 'first'),
      }));
      return [...named, ...(text.includes('\npatches:\n') ? patched : [])].map((variant) => ({
        name: variant.name,
        folder,
        files: { ...files, [path]: variant.text },
      }));
    });
  });
}

/** A patch as users add one. */
export const ownPatch = {
  patch: '- {op: add, path: /metadata/annotations, value: {example.com/owner: us}}',
  target: { kind: 'Deployment' },
};

/** The marks above commented-out parts, such as METRICS; the first key where there is no mark. */
export function sectionsOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return [...new Set(lines.flatMap((_line, index) => sectionAt(lines, index) ?? []))];
}

/** Takes the comment signs off these sections. */
export function switchOn(text: string, sections: readonly string[]): string {
  const lines = text.split('\n');
  return lines
    .map((line, index) => {
      const section = sectionAt(lines, index);
      return section !== undefined && sections.includes(section) ? line.slice(1) : line;
    })
    .join('\n');
}

function sectionAt(lines: readonly string[], index: number): string | undefined {
  // A comment has one space after the sign; YAML that is switched off has none, or its own indentation.
  const isOff = (line: string | undefined): boolean => line !== undefined && /^\s*#(?:\S| {2})/.test(line);
  if (!isOff(lines[index])) return undefined;
  let first = index;
  while (isOff(lines[first - 1])) first--;
  for (let above = first - 1; /^\s*# /.test(lines[above] ?? ''); above--) {
    const mark = /\[([A-Z][A-Z -]*)\]/.exec(lines[above] ?? '')?.[1];
    if (mark !== undefined) return mark;
  }
  return /^\s*#(\w+):/.exec(lines[first] ?? '')?.[1] ?? `line ${first + 1}`;
}

function readTree(root: string, folder: string): Readonly<Record<string, string>> {
  if (!existsSync(join(root, folder))) return {};
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).map((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? readTree(root, path) : { [path]: readFileSync(join(root, path), 'utf8') };
  });
  return Object.assign({}, ...entries) as Record<string, string>;
}
