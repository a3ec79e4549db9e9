import type { Finding } from '../../../base/errors/index.ts';
import { isObject } from '../../../kubernetes/objects/index.ts';
import type { JsonValue } from '../../../kubernetes/crd/index.ts';
import { placeOfSchema, projectPath, type SchemaExport, type SourceProgram } from '../../source/index.ts';
import { bundleModules, type BundleError, schemaModule, type SchemaModule } from './bundle-modules.ts';
import type { Loss } from './inside/losses-of-libraries.ts';
import type { JsonSchema } from './json-schema.ts';
import { runModules, type RunOutcome } from './run-modules.ts';

/** Result of reading the schema of a library. */
interface LibrarySchema {
  /** JSON Schema that the library returns; undefined if it could not be read. */
  readonly json: JsonSchema | undefined;
  /** Parts of the library's schema that are missing in its JSON Schema. */
  readonly losses: readonly Loss[];
  readonly findings: readonly Finding[];
}

/** Schemas of libraries that have already been read, by program. */
const readBefore = new WeakMap<SourceProgram, Map<string, LibrarySchema>>();

/**
 * Reads several schemas of libraries together. The libraries are bundled and loaded only once. A later call of `readLibrarySchema` for one
 * of these schemas returns the known result and starts no process.
 */
export function readLibrarySchemas(source: SourceProgram, schemas: readonly SchemaExport[]): void {
  const known = readBefore.get(source) ?? new Map<string, LibrarySchema>();
  readBefore.set(source, known);
  const distinct = new Map(schemas.map((schema) => [keyOf(schema), schema] as const));
  const unread = [...distinct.values()].filter((schema) => !known.has(keyOf(schema)));
  const loadable: LoadableSchema[] = [];
  for (const schema of unread) {
    const module = schemaModule(source, schema);
    if (module.findings.length === 0) loadable.push({ schema, module });
    else known.set(keyOf(schema), { json: undefined, losses: [], findings: module.findings });
  }
  for (const [{ schema }, read] of readAll(source, loadable)) known.set(keyOf(schema), read);
}

/** Loads the module of a schema in a separate process, and gets the schema's JSON Schema from the library. A known result is reused. */
export function readLibrarySchema(source: SourceProgram, schema: SchemaExport): LibrarySchema {
  readLibrarySchemas(source, [schema]);
  return readBefore.get(source)?.get(keyOf(schema)) ?? { json: undefined, losses: [], findings: [] };
}

function keyOf({ file, exportName }: SchemaExport): string {
  return JSON.stringify([file, exportName]);
}

interface LoadableSchema {
  readonly schema: SchemaExport;
  readonly module: SchemaModule;
}

function readAll(
  source: SourceProgram,
  all: readonly LoadableSchema[],
): readonly (readonly [LoadableSchema, LibrarySchema])[] {
  if (all.length === 0) return [];
  const scripts = bundleModules(
    all.map(({ schema }) => schema),
    all.map(({ module }) => module),
  );
  if ('errors' in scripts) {
    // If bundling several schemas fails, each schema is read separately, so that each error can be assigned to its schema.
    if (all.length > 1) return all.flatMap((each) => readAll(source, [each]));
    return all.map((each) => [each, notLoaded(source, each.schema, scripts.errors)]);
  }
  const outcomes = runModules(scripts);
  return all.map((each, index) => {
    const outcome = outcomes[index] ?? { failed: 'it ends without a schema' };
    return [each, librarySchema(source, each.schema, outcome)];
  });
}

function notLoaded(
  source: SourceProgram,
  schema: SchemaExport,
  errors: readonly BundleError[],
): LibrarySchema {
  const findings = errors.map(({ text, location, isOutside }): Finding => ({
    code: isOutside ? 'schema/outside-project' : 'schema/unreadable-schema',
    message: `cannot load the module of ${schema.exportName}: ${text}`,
    where:
      location === null
        ? placeOfSchema(source, schema)
        : {
            file: projectPath(source.projectDir, location.file),
            line: location.line,
            column: location.column + 1,
          },
    fix: [
      isOutside
        ? "install the package in the project's node_modules: nothing else is read when the module runs"
        : /^Could not resolve "[^./]/.test(text)
          ? 'install the package'
          : 'correct the module',
    ],
  }));
  return { json: undefined, losses: [], findings };
}

function librarySchema(source: SourceProgram, schema: SchemaExport, described: RunOutcome): LibrarySchema {
  const failed = (message: string, fix: readonly string[]): LibrarySchema => ({
    json: undefined,
    losses: [],
    findings: [
      {
        code: 'schema/unreadable-schema',
        message: `${schema.exportName}: ${message}`,
        where: placeOfSchema(source, schema),
        fix,
      },
    ],
  });
  if ('failed' in described)
    return failed(`the module of the schema cannot be run: ${described.failed}`, [
      'let the module do nothing but make the schema: it has no network, no files and no environment',
    ]);
  if ('missing' in described) {
    const { missing, vendor } = described;
    return missing === 'schema'
      ? failed(
          'expected a schema of zod, valibot, arktype or another library of the Standard JSON Schema interface',
          ['export a schema: `z.object({ spec: … })`'],
        )
      : failed(`the schema of ${vendor ?? 'its library'} does not give JSON Schema`, [
          withJsonSchema(vendor),
        ]);
  }
  if ('refused' in described) {
    const { refused, losses } = described;
    // Lost parts are reported at their own paths. If a part is lost, the error of the library is therefore not reported as well.
    return losses.length > 0
      ? { json: undefined, losses, findings: [] }
      : failed(`the library cannot make JSON Schema of it: ${refused}`, ['use types that JSON has']);
  }
  const { schema: json, losses } = described;
  if (!isObject(json as JsonValue))
    return failed('the library gives JSON Schema that is not an object', ['export an object schema']);
  return { json: json as JsonSchema, losses, findings: [] };
}

const remedies: Readonly<Record<string, string>> = {
  zod: 'install zod 4.2 or newer; in zod 3.25 it is not there, even as zod/v4',
  valibot:
    "wrap it: `toStandardJsonSchema(…)` from '@valibot/to-json-schema' 1.5 or newer, in the module of the schema",
  arktype: 'install arktype 2.1.28 or newer',
};

function withJsonSchema(vendor = ''): string {
  return remedies[vendor] ?? 'use a version of the library with the Standard JSON Schema interface';
}
