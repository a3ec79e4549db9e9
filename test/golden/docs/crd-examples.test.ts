// Every example of docs/crd/*.md, compiled and generated: what a page shows beside an example is what comes of it.
//
// - A `ts` block is a file of its own. What it uses of 'opsdk' without importing it is imported for it, and where it declares no kind, its
//   first interface `…Spec` becomes the spec of one.
// - A `yaml` block after it is a part of the CRD if it begins with `spec:` or `metadata:`, else properties of the spec.
// - A `text` block after it is printed as warnings, or, after ```` ```ts refused ````, as errors.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FindingList, formatFinding, type Finding } from '../../../src/base/errors/index.ts';
import { collectKinds } from '../../../src/compiler/manifests/collect-kinds.ts';
import { crdDocument } from '../../../src/compiler/manifests/crd/crd-document.ts';
import { loadProgram, readDeclarations } from '../../../src/compiler/schema/index.ts';

interface Example {
  /** `docs/crd/shapes.md:12`, for messages. */
  readonly place: string;
  readonly file: string;
  readonly code: string;
  readonly refused: boolean;
  readonly yaml: string | undefined;
  readonly text: string | undefined;
}

const root = join(import.meta.dirname, '../../..');
// The first three are guides: test/e2e/docs-commands.test.ts runs them. Schemas of libraries are of two files: test/golden/schema-libraries.
const pages = readdirSync(join(root, 'docs/crd')).filter(
  (name) => !['import.md', 'diff.md', 'test.md', 'schema-libraries.md'].includes(name),
);
const examples = pages.flatMap(examplesOf);

function examplesOf(page: string): Example[] {
  const markdown = readFileSync(join(root, 'docs/crd', page), 'utf8');
  const found: Example[] = [];
  for (const match of markdown.matchAll(/^```(\w+)[ ]?(.*)\n([\s\S]*?)^```$/gm)) {
    const [, language = '', info = '', content = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    const place = `docs/crd/${page}:${line}`;
    const last = found.at(-1);
    if (language === 'ts') {
      if (!['', 'refused'].includes(info)) throw new Error(`${place}: no mark ${info}`);
      const file = `${page.replace('.md', '')}-${line}.ts`;
      const example = { place, file, code: content, yaml: undefined, text: undefined };
      found.push({ ...example, refused: info === 'refused' });
    } else if (last !== undefined && (language === 'yaml' || language === 'text')) {
      if (last[language] !== undefined) throw new Error(`${place}: the example shows this already`);
      found[found.length - 1] = { ...last, [language]: content };
    }
  }
  return found;
}

const vocabulary = [
  ...readFileSync(join(root, 'src/sdk/api/types.ts'), 'utf8').matchAll(/^export type (\w+)/gm),
  ...readFileSync(join(root, 'src/sdk/api/meta.ts'), 'utf8').matchAll(/^export interface (\w+)/gm),
].map(([, name = '']) => name);

/** The example as a whole module; its lines stay where they are. */
function moduleOf({ code }: Example): string {
  const words = new Set(code.match(/\w+/g));
  const declared = new Set(
    [...code.matchAll(/(?:interface|type|const|import) (\w+)/g)].map(([, name]) => name),
  );
  const imported = code.includes("from 'opsdk'")
    ? []
    : vocabulary.filter((name) => words.has(name) && !declared.has(name));
  const spec = /interface (\w+Spec)\b/.exec(code)?.[1];
  const kind = code.includes('defineResource')
    ? ''
    : `interface Example extends Base { spec: ${spec}; }\nexport const Example = defineExample<Example>({ group: 'example.com', version: 'v1', kind: 'Example' });`;
  // Behind the example: its lines stay where they are, and its first comment is not behind something on its line.
  return [
    code,
    imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from 'opsdk';`,
    "import { defineResource as defineExample, type CustomResource as Base } from 'opsdk';",
    'export type { Base, defineExample };',
    kind,
  ].join('\n');
}

const texts = new Map(examples.map((example) => [example.file, moduleOf(example)]));
const projectDir = join(root, 'docs/crd');
const source = loadProgram({ projectDir, rootFiles: [...texts.keys()], texts });
const declared = readDeclarations(source);

function generate({ file }: Example) {
  const isHere = ({ where }: Finding) => where !== undefined && 'file' in where && where.file === file;
  const findings = new FindingList();
  findings.add(...source.diagnostics.filter(isHere), ...declared.findings.filter(isHere));
  const resources = declared.resources.filter((resource) => resource.file === join(projectDir, file));
  const { kinds, warnings } = collectKinds(findings, source, resources);
  return { errors: findings.all, warnings, kinds };
}

/** Type errors, as an editor shows them. */
function typeErrors({ file }: Example): string[] {
  const found = source.program.getSourceFile(join(projectDir, file));
  return source.program
    .getSemanticDiagnostics(found)
    .map(({ messageText }) => source.ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** Without the path of a file that exists in the test only. */
const shown = (findings: readonly Finding[], severity: 'error' | 'warning', { file }: Example): string =>
  findings
    .map((finding) => formatFinding(finding, { severity }))
    .join('\n\n')
    .replaceAll(`${file}:`, 'example.ts:');

describe.each(pages)('docs/crd/%s', (page) => {
  test.each(examples.filter(({ file }) => file.startsWith(`${page.replace('.md', '')}-`)))(
    '$place',
    (example) => {
      const { errors, warnings, kinds } = generate(example);
      const problems = shown(errors, 'error', example);
      if (example.refused) {
        expect(problems).not.toBe('');
        if (example.text !== undefined) expect(`${problems}\n`).toContain(example.text);
        return;
      }
      expect(problems).toBe('');
      expect(typeErrors(example)).toEqual([]);
      expect(kinds).not.toEqual([]);
      const warned = shown(warnings, 'warning', example);
      expect(warned === '' ? '' : `${warned}\n`).toBe(example.text ?? '');
      if (example.yaml === undefined) return;
      const expected = parse(example.yaml);
      // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test may look where it likes
      const crds = kinds.map((kind) => crdDocument(kind) as any);
      if ('spec' in expected || 'metadata' in expected) {
        expect(crds[0]).toMatchObject(expected);
        return;
      }
      const { properties } = crds[0].spec.versions[0].schema.openAPIV3Schema.properties.spec;
      expect(Object.fromEntries(Object.entries(properties).filter(([name]) => name in expected))).toEqual(
        expected,
      );
    },
  );
});
