import { existsSync } from 'node:fs';
import { crdsOf, type CrdDocument } from '../../kubernetes/crd/index.ts';
import { FindingList } from '../../base/errors/index.ts';
import { jsonMapOf, jsonTextOf } from '../../base/util/json-map.ts';
import { readCrdFiles } from './read-crd-files.ts';

const projectCrds = 'config/crd/bases';

/**
 * The CRDs that a test is about.
 *
 * @param crds files, folders and objects; if it is undefined, those of the project in the working directory, if there are any
 * @throws OpSdkError with all that the API server would refuse
 */
export async function readCrdDefinitions(
  crds: readonly (string | object)[] = existsSync(projectCrds) ? [projectCrds] : [],
): Promise<readonly CrdDocument[]> {
  const files = await readCrdFiles(crds.filter((crd) => typeof crd === 'string'));
  const given = crdsOf(
    crds
      .filter((crd) => typeof crd !== 'string')
      .map((value) => ({
        value,
        locate: (path) => ({
          object: `CustomResourceDefinition ${jsonTextOf(jsonMapOf(jsonMapOf(value)['metadata'])['name'])}`,
          path: path.join('.'),
        }),
      })),
  );
  const findings = new FindingList();
  findings.add(...given.crds.flatMap(({ refusals }) => refusals));
  findings.throwIfAny();
  return [...files, ...given.crds].map(({ crd }) => crd);
}
