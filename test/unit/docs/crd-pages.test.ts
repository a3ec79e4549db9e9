// What users can write is listed once in the code; the pages about CRDs must name all of it, and nothing else.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { command as generateManifests } from '../../../src/cli/commands/generate-manifests.ts';
import { schemaTags, tagPrefixes, tagsForPeople } from '../../../src/compiler/schema/tags/tag-names.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = ['docs/crd.md', ...readdirSync(join(root, 'docs/crd')).map((name) => `docs/crd/${name}`)];

/** All that stands in backticks outside of code blocks, of one page or all. */
function quoted(...paths: readonly string[]): readonly string[] {
  const prose = paths.map((path) => read(path).replace(/^```[\s\S]*?^```/gm, '')).join('\n');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, read(path), ts.ScriptTarget.ESNext, true);
}

describe('tags', () => {
  const named = new Set(
    quoted(...pages).flatMap((code) =>
      [...code.matchAll(/^@([\w.]+)(?![\w./])/g)].map(([, tag = '']) => tag),
    ),
  );

  test.each(schemaTags)('@%s is in the table of the constraints', (tag) => {
    expect(quoted('docs/crd/constraints.md').map((code) => code.split(' ')[0])).toContain(`@${tag}`);
  });

  test('no other is named', () => {
    const prefix = new RegExp(`^(?:(?:${tagPrefixes.join('|')})\\.)+`);
    const known = new Set<string>([...schemaTags, ...tagsForPeople, '']);
    expect([...named].filter((tag) => !known.has(tag.replace(prefix, '')))).toEqual([]);
  });
});

describe('types', () => {
  const types = parse('src/sdk/api/types.ts')
    .statements.filter(
      (statement) => ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement),
    )
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .map(({ name }) => name.text);

  test('there are many', () => expect(types.length).toBeGreaterThan(20));

  test.each(types)('%s is explained', (type) => {
    expect(quoted(...pages).filter((code) => new RegExp(`^${type}(?:<|$)`).test(code))).not.toEqual([]);
  });
});

describe('properties of defineResource', () => {
  const membersOf = (name: string): readonly string[] => {
    const declaration = parse('src/sdk/api/define-resource.ts').statements.find(
      (statement): statement is ts.InterfaceDeclaration =>
        ts.isInterfaceDeclaration(statement) && statement.name.text === name,
    );
    return (declaration?.members ?? []).map((member) => member.name?.getText() ?? '');
  };
  const properties = membersOf('ResourceDefinition').flatMap((name) =>
    name === 'crd' ? membersOf('DefinitionForm').map((inner) => `crd.${inner}`) : [name],
  );
  const rows = read('docs/crd/versions.md').match(/^\| property [\s\S]*?\n\n/m)?.[0] ?? '';
  const cells = rows
    .split('\n')
    .slice(2)
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name));

  test('are the rows of the table', () => {
    expect(properties.length).toBeGreaterThan(20);
    expect([...cells].sort()).toEqual([...properties].sort());
  });
});

describe('flags of generate manifests', () => {
  const parsed = new Command('manifests');
  for (const [name, flag] of Object.entries(generateManifests.flags ?? {})) flag.declare(parsed, name);
  const flags = parsed.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
  const named = quoted('docs/crd.md').flatMap((code) =>
    [...code.matchAll(/--[a-z-]+/g)].map(([flag]) => flag),
  );
  const isNamed = (flag: string): boolean =>
    named.includes(flag) || named.includes(flag.replace('--', '--no-'));

  test('there are many', () => expect(flags.length).toBeGreaterThan(10));

  test.each(flags)('%s is in the overview', (flag) => expect(isNamed(flag)).toBe(true));
});
