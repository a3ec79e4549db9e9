import { bool, integer, list, object, record, string, unchecked } from '../../../base/util/json-reader.ts';

const open = { others: 'ignore' } as const;
const texts = list(string);
const textMap = record(string);
const link = object({ name: string, url: string }, open);

const descriptors = list(
  object(
    { path: string, displayName: string, description: string, 'x-descriptors': texts, value: unchecked },
    open,
  ),
);

const described = {
  ...{ name: string, version: string, kind: string, displayName: string, description: string },
  resources: list(object({ name: string, kind: string, version: string }, open)),
  ...{ statusDescriptors: descriptors, specDescriptors: descriptors, actionDescriptors: descriptors },
};
const crds = list(object(described, open));
const apiServices = list(
  object({ ...described, group: string, deploymentName: string, containerPort: integer }, open),
);

/**
 * Reader that checks the value of the property `olm.csv.metadata` by the rules of opm. The property describes kinds in the same form as a
 * ClusterServiceVersion. Source: operator-registry `alpha/property/property.go`, operator-framework/api `clusterserviceversion_types.go`.
 */
export const csvMetadataReader = object(
  {
    annotations: textMap,
    apiServiceDefinitions: object({ owned: apiServices, required: apiServices }, open),
    crdDescriptions: object({ owned: crds, required: crds }, open),
    description: string,
    displayName: string,
    installModes: list(object({ type: string, supported: bool }, open)),
    keywords: texts,
    labels: textMap,
    links: list(link),
    maintainers: list(object({ name: string, email: string }, open)),
    maturity: string,
    minKubeVersion: string,
    nativeAPIs: list(object({ group: string, version: string, kind: string }, open)),
    provider: link,
  },
  open,
);
