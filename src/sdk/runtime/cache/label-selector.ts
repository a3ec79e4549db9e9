import { OpSdkError } from '../../../base/errors/index.ts';
import { LabelSelectorError, labelsMatch, parseLabelSelector } from '../../../base/util/label-selector.ts';

/**
 * A label selector in the API's text form, for objects at hand: what the API server selects by it, the cache does too.
 *
 * @throws OpSdkError `runtime/invalid-selector`
 */
export function labelTest(
  selector: string,
): (labels: Readonly<Record<string, string>> | undefined) => boolean {
  try {
    const requirements = parseLabelSelector(selector);
    return (labels) => labelsMatch(requirements, labels);
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    throw new OpSdkError({
      code: 'runtime/invalid-selector',
      message: `invalid label selector ${JSON.stringify(selector)}: ${error.message}`,
      fix: [
        'write key=value, key!=value, key in (a, b), key notin (a, b), key>1, key<2, key or !key, separated by commas',
      ],
    });
  }
}
