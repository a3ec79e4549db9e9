import type { FindingList } from '../../base/errors/index.ts';
import { describeObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { MOST_FILES, MOST_OF_OBJECT } from './validate/limits.ts';

/** Limit of all objects together, in bytes of JSON: compressed, as much text of manifests fills the ConfigMap in which OLM unpacks a bundle. */
const MOST = 12 * 1024 * 1024;

/** Notes `bundle/too-large` for what no bundle could hold, before anything is made of it. */
export function checkInputSize(findings: FindingList, objects: readonly PlacedObject[]): void {
  if (objects.length > MOST_FILES) {
    findings.add({
      code: 'bundle/too-large',
      message: `there are ${objects.length} objects; a bundle holds up to ${MOST_FILES}`,
      ...(objects[0] === undefined ? {} : { where: objects[0].where }),
      fix: ['name the objects of the operator only'],
    });
    return;
  }
  let all = 0;
  for (const { object, where } of objects) {
    const bytes = Buffer.byteLength(JSON.stringify(object));
    all += bytes;
    if (bytes > MOST_OF_OBJECT)
      findings.add({
        code: 'bundle/too-large',
        message: `${describeObject(object)} has ${bytes} bytes; the API server takes objects up to ${MOST_OF_OBJECT} bytes`,
        where,
        fix: ['shorten its texts'],
      });
  }
  if (all <= MOST) return;
  findings.add({
    code: 'bundle/too-large',
    message: `the objects have ${all} bytes; bundles of more than ${MOST} bytes do not fit into what OLM unpacks`,
    fix: [
      'name the objects of the operator only',
      'shorten the descriptions of the CustomResourceDefinitions',
    ],
  });
}
