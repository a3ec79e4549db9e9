import { relative, resolve } from 'node:path';
import type ts from 'typescript';
import type { SourcePlace } from '../evaluate/evaluated-value.ts';

/** A position of a source file as the user reads it: the file relative to the project, line and column from 1. */
export function placeInProject(projectDir: string, file: ts.SourceFile, position: number): SourcePlace {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  return { file: projectPath(projectDir, file.fileName), line: line + 1, column: character + 1 };
}

/** A file relative to the project, with forward slashes. */
export function projectPath(projectDir: string, fileName: string): string {
  return relative(resolve(projectDir), resolve(fileName)).replaceAll('\\', '/');
}
