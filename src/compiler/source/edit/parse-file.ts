import type ts from 'typescript';
import type { TypeScript } from '../program/compiler.ts';

/** The syntax tree of a file by itself, without what it imports. */
export function parseFile(ts: TypeScript, file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}
