import { OpSdkError } from '../../../base/errors/index.ts';
import { YamlSpliceError } from '../../yaml/splice.ts';

/** Runs a splice; a file that it cannot edit becomes a finding. */
export function spliced(file: string, edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof YamlSpliceError)) throw error;
    throw new OpSdkError(
      {
        code: 'kustomize/cannot-edit',
        message: `the kustomization cannot be edited: ${error.message}`,
        where: { file },
        fix: ['write the field in block style, one entry a line, or edit it by hand'],
      },
      { cause: error },
    );
  }
}
