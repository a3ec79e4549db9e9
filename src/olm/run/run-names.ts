/** The channel that catalogues of `run bundle` have: that of operator-sdk. */
export const runChannel = 'operator-sdk-run-bundle';

/** The OperatorGroup that `run bundle` creates where there is none yet: that of operator-sdk. */
export const runGroup = 'operator-sdk-og';

/** The objects of an operator that `run bundle` installs. */
export interface RunNames {
  /** Name of the CatalogSource and the ClusterCatalog. */
  readonly catalog: string;
  readonly subscription: string;
  /** Name of the ClusterExtension. */
  readonly extension: string;
}

/**
 * Names the objects of an installation as operator-sdk does, so that either tool finds what the other has made.
 *
 * @param csv the name of the first ClusterServiceVersion
 */
export function runNames(packageName: string, csv: string): RunNames {
  return {
    // OLM v0 puts it into a label.
    catalog: `${objectName(packageName).slice(0, 63 - '-catalog'.length)}-catalog`,
    subscription: `${objectName(csv)}-sub`,
    extension: objectName(packageName),
  };
}

function objectName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
