import type { Finding } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/closest-name.ts';
import type { DocumentSource } from '../types.ts';

/** The schemas of catalogues. Source: operator-registry `alpha/declcfg/declcfg.go`. */
const documentSchemas = ['olm.package', 'olm.channel', 'olm.bundle', 'olm.deprecations'] as const;

/** Schemas of templates, from which opm makes catalogues. Source: operator-registry `alpha/template`; `olm.composite` is of former releases. */
const templateSchemas = ['olm.template.basic', 'olm.semver', 'olm.template.substitutes', 'olm.composite'];

/** Templates that are rendered. */
export const renderedSchemas: readonly string[] = ['olm.template.basic', 'olm.semver'];

/** True for the schema of a template, rendered by op-sdk or not. */
export function isTemplateSchema(schema: string): boolean {
  return templateSchemas.includes(schema);
}

/**
 * The finding of a document whose schema looks like one of OLM but is none. Schemas of one's own are allowed: OLM ignores their documents,
 * and so it does those with a slip in the name.
 * @returns undefined for schemas of catalogues, and for one's own
 */
export function unknownSchema(
  schema: string,
  { file, line }: Pick<DocumentSource, 'file' | 'line'>,
): Finding | undefined {
  if ((documentSchemas as readonly string[]).includes(schema)) return undefined;
  const where = { file, line, column: 1 };
  const code = 'catalog/unknown-schema';
  if (isTemplateSchema(schema)) {
    const message = `${schema} is the schema of a template; expected documents of a catalogue`;
    return { code, message, where, fix: [renderFix(schema, file)] };
  }
  // `olm` itself with a slip, too.
  if (!/^[olm]{2,4}\./i.test(schema)) return undefined;
  const nearest = closestName(schema, [...documentSchemas, ...templateSchemas]);
  const expected = `expected ${documentSchemas.slice(0, -1).join(', ')} or ${documentSchemas.at(-1)}`;
  const fix = nearest === undefined ? 'write one of these' : `write schema: ${nearest}`;
  return {
    code,
    message: `unknown schema ${JSON.stringify(schema)}: ${expected}, or a schema of your own that begins otherwise`,
    where,
    fix: [fix, 'list the file in .indexignore, if it is not a part of the catalogue'],
  };
}

/** The command by which a template becomes a catalogue. */
export function renderFix(schema: string, file: string): string {
  return renderedSchemas.includes(schema)
    ? `render it, into another folder: op-sdk catalog render ${file} > catalog/catalog.yaml`
    : `render it with opm: opm alpha render-template ${file}`;
}
