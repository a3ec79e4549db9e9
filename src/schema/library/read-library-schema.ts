import type { Finding } from '../../errors/index.ts';
import { isRecord, type JsonValue } from '../../crd/json-schema-props.ts';
import { placeOfSchema, type SchemaExport, type SourceProgram } from '../../source/index.ts';
import { bundleModule } from './bundle-module.ts';
import type { Loss } from './inside/losses.ts';
import type { JsonSchema } from './json-schema.ts';
import { runModule } from './run-module.ts';
import { schemaModule } from './schema-module.ts';

/** What a library says of a schema. */
export interface LibrarySchema {
  /** Undefined if it could not be read. */
  readonly json: JsonSchema | undefined;
  /** What the JSON Schema leaves out. */
  readonly losses: readonly Loss[];
  readonly findings: readonly Finding[];
}

/** Loads the module of a schema, by itself and in a process of its own, and asks the library for its JSON Schema. */
export function readLibrarySchema(source: SourceProgram, schema: SchemaExport): LibrarySchema {
  const module = schemaModule(source, schema);
  if (module.findings.length > 0) return { json: undefined, losses: [], findings: module.findings };
  const where = placeOfSchema(source, schema);
  const failed = (message: string, fix: readonly string[], losses: readonly Loss[] = []): LibrarySchema => ({
    json: undefined,
    losses,
    findings: [{ code: 'schema/unreadable-schema', message: `${schema.exportName}: ${message}`, where, fix }],
  });
  const bundle = bundleModule(source.projectDir, schema, module);
  if ('errors' in bundle) {
    const findings = bundle.errors.map(({ text, location }): Finding => ({
      code: 'schema/unreadable-schema',
      message: `cannot load the module of ${schema.exportName}: ${text}`,
      where:
        location === null ? where : { file: location.file, line: location.line, column: location.column + 1 },
      fix: [/^Could not resolve "[^./]/.test(text) ? 'install the package' : 'correct the module'],
    }));
    return { json: undefined, losses: [], findings };
  }
  const described = runModule(bundle.code);
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
    // What is known with its path is said there.
    return losses.length > 0
      ? { json: undefined, losses, findings: [] }
      : failed(`the library cannot make JSON Schema of it: ${refused}`, ['use types that JSON has']);
  }
  const { schema: json, losses } = described;
  if (!isRecord(json as JsonValue))
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
