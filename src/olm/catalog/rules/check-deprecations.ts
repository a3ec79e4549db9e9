import type { CatalogFindings } from '../findings.ts';
import type {
  Catalog,
  CatalogDeprecations,
  DeprecationEntry,
  CatalogBundle,
  CatalogChannel,
  CatalogPackage,
  DocumentSource,
} from '../types.ts';
import type { Finding } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import { listText } from '../../../base/util/words.ts';

/** Checks that each deprecated package, channel or bundle exists, is listed only once, and has a deprecation message. */
export function checkDeprecations(
  { deprecations }: Catalog,
  packages: ReadonlyMap<string, WholePackage>,
  findings: CatalogFindings,
): void {
  const known = new Set<string>();
  for (const document of deprecations) {
    const { source, packageName } = document;
    const own = packages.get(packageName);
    if (own === undefined)
      findings.add(
        'catalog/unknown-package',
        [source, ['package']],
        packageName === ''
          ? 'the deprecations name no package'
          : `the deprecations: unknown package ${JSON.stringify(packageName)}`,
        'write the name of a package of this catalogue',
      );
    else if (known.has(packageName))
      findings.add(
        'catalog/duplicate',
        [source, ['package']],
        `the package ${packageName} has deprecations already`,
        'move the entries into one document',
      );
    else checkEntries(document, own, findings);
    known.add(packageName);
  }
}

function checkEntries(
  { source, entries }: CatalogDeprecations,
  own: WholePackage,
  findings: CatalogFindings,
): void {
  const known = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const key = JSON.stringify([entry.schema, entry.name]);
    const problem = known.has(key)
      ? ([['reference'], 'it is deprecated twice', 'remove one of the entries'] as const)
      : problemOf(entry, own);
    known.add(key);
    if (problem === undefined) continue;
    const [path, message, fix] = problem;
    findings.add(
      'catalog/invalid-deprecation',
      [source, ['entries', index, ...path]],
      `entries[${index}]: ${message}`,
      fix,
    );
  }
}

type Problem = readonly [path: readonly string[], message: string, fix: string];

function problemOf({ schema, name, message }: DeprecationEntry, own: WholePackage): Problem | undefined {
  const path = ['reference', 'name'];
  const known: Readonly<Record<string, boolean>> = {
    'olm.package': name === '',
    'olm.channel': own.channels.has(name),
    'olm.bundle': own.bundles.has(name),
  };
  if (!Object.hasOwn(known, schema)) {
    const schemas = Object.keys(known).join(', ');
    return [
      ['reference', 'schema'],
      `expected one of the schemas ${schemas}, got ${JSON.stringify(schema)}`,
      `write one of ${schemas}`,
    ];
  }
  if (known[schema] !== true) {
    if (schema === 'olm.package')
      return [
        path,
        `a deprecated package is named by package alone, got ${JSON.stringify(name)}`,
        'remove name',
      ];
    const what = schema === 'olm.channel' ? 'channel' : 'bundle';
    return [path, `unknown ${what} ${JSON.stringify(name)}`, `write the name of a ${what} of the package`];
  }
  return message === '' ? [['message'], 'the message is missing', 'write what to use instead'] : undefined;
}

/** A package with its channels and bundles. If several packages, channels or bundles have the same name, only the first is kept. */
export interface WholePackage {
  readonly definition: CatalogPackage;
  readonly channels: ReadonlyMap<string, CatalogChannel>;
  readonly bundles: ReadonlyMap<string, CatalogBundle>;
}

/** Returns the packages of a catalogue by name. Channels and bundles whose package is missing are omitted. */
export function packagesOf({ packages, channels, bundles }: Catalog): ReadonlyMap<string, WholePackage> {
  const all = new Map<
    string,
    WholePackage & {
      readonly channels: Map<string, CatalogChannel>;
      readonly bundles: Map<string, CatalogBundle>;
    }
  >();
  for (const definition of packages)
    if (!all.has(definition.name))
      all.set(definition.name, { definition, channels: new Map(), bundles: new Map() });
  for (const channel of channels) {
    const own = all.get(channel.packageName)?.channels;
    if (own !== undefined && !own.has(channel.name)) own.set(channel.name, channel);
  }
  for (const bundle of bundles) {
    const own = all.get(bundle.packageName)?.bundles;
    if (own !== undefined && !own.has(bundle.name)) own.set(bundle.name, bundle);
  }
  return all;
}

/** The schemas of documents that OLM reads in catalogues. Source: operator-registry `alpha/declcfg/declcfg.go`. */
const documentSchemas = ['olm.package', 'olm.channel', 'olm.bundle', 'olm.deprecations'] as const;

/**
 * Schemas of templates, from which opm generates catalogues. Only former releases of opm knew `olm.composite`. Source: operator-registry
 * `alpha/template`.
 */
const templateSchemas = ['olm.template.basic', 'olm.semver', 'olm.template.substitutes', 'olm.composite'];

/** Schemas of the templates that op-sdk can render. */
export const renderedSchemas: readonly string[] = ['olm.template.basic', 'olm.semver'];

/** Returns true for the schema of a template, even if op-sdk cannot render it. */
export function isTemplateSchema(schema: string): boolean {
  return templateSchemas.includes(schema);
}

/**
 * Returns the finding for an unknown schema that resembles a schema of OLM. OLM allows custom schemas and ignores their documents, so it
 * would also ignore a document with a misspelt schema.
 * @returns undefined for schemas of catalogue documents, and for custom schemas that resemble none of OLM's
 */
export function unknownSchema(
  schema: string,
  { file, line }: Pick<DocumentSource, 'file' | 'line'>,
): Finding | undefined {
  if ((documentSchemas as readonly string[]).includes(schema)) return undefined;
  const where = { file, line, column: 1 };
  const code = 'catalog/unknown-schema';
  if (isTemplateSchema(schema)) {
    const message = `expected documents of a catalogue, got a template (schema ${schema})`;
    return { code, message, where, fix: [renderFix(schema, file)] };
  }
  // The pattern also matches misspellings of `olm` itself, such as `oml`.
  if (!/^[olm]{2,4}\./i.test(schema)) return undefined;
  const nearest = closestName(schema, [...documentSchemas, ...templateSchemas]);
  const expected = `expected ${listText(documentSchemas, 'or')}`;
  const fix = nearest === undefined ? 'write one of these' : `write schema: ${nearest}`;
  return {
    code,
    message: `unknown schema ${JSON.stringify(schema)}: ${expected}, or a schema of your own that does not resemble olm.`,
    where,
    fix: [fix, 'list the file in .indexignore, if it is not a part of the catalogue'],
  };
}

/** Returns the fix for a template: the command that makes a catalogue from the template. */
export function renderFix(schema: string, file: string): string {
  return renderedSchemas.includes(schema)
    ? `render it, into another folder: op-sdk catalog render ${file} > catalog/catalog.yaml`
    : `render it with opm: opm alpha render-template ${file}`;
}
