import { createRequire } from 'node:module';
import type * as engine from 'ts-json-schema-generator';
import type typescript from 'typescript';
import { requireCompiled } from '../../../base/util/code-cache.ts';

/** The compiler's programming interface. */
export type TypeScript = typeof typescript;
/** ts-json-schema-generator's programming interface. */
export type SchemaEngine = typeof engine;

const requireOwn = createRequire(import.meta.url);

/**
 * The TypeScript that ts-json-schema-generator uses, never the project's: syntax trees must come from the one compiler that
 * the generator checks them against, and a project may have a TypeScript without this interface (version 7).
 */
export function loadTypeScript(): TypeScript {
  const requireFromGenerator = createRequire(requireOwn.resolve('ts-json-schema-generator'));
  return requireCompiled(requireFromGenerator.resolve('typescript')) as TypeScript;
}

/** Message of the compiler in the form of our own: lower case, no full stop. */
export function compilerMessage(ts: TypeScript, diagnostic: typescript.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n').replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** ts-json-schema-generator, loaded as CommonJS so that it shares the compiler of `loadTypeScript`. */
export function loadSchemaEngine(): SchemaEngine {
  return requireOwn('ts-json-schema-generator') as SchemaEngine;
}
