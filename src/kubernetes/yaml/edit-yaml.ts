import { OpSdkError } from '../../base/errors/index.ts';
import { YamlSpliceError } from './splice.ts';

/**
 * Runs a splice of the YAML file `file`.
 * @param byHand the lines that a person would have to add
 * @throws OpSdkError `project/cannot-edit`
 */
export function editYaml<T extends string | undefined>(file: string, byHand: string, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof YamlSpliceError)) throw error;
    throw new OpSdkError(
      {
        code: 'project/cannot-edit',
        message: `${file} cannot be edited: ${error.message}`,
        where: { file },
        fix: [`mend the file, or add this by hand:\n${byHand.trimEnd()}`],
      },
      { cause: error },
    );
  }
}
