import { isOpSdkError, type FindingList } from '../../../errors/index.ts';

/** The result of a part of a check; undefined if it has findings, which join those of the other parts. */
export async function gather<T>(findings: FindingList, part: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await part();
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.add(...error.findings);
    return undefined;
  }
}
