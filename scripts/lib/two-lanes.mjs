/**
 * Runs rungs that compute beside rungs that wait much of their time, for servers that were killed or for a watch: two processors have
 * enough to do with both. The first lane is longer; `then` follows the other one.
 *
 * @param {ReturnType<import('./tally.mjs').createTally>} tally
 * @param {{ computing: string[], waiting: string[], assets: string, limit?: number, then?: () => Promise<void> }} rungs `assets`: folder
 *   of kube-apiserver and etcd; `limit`: seconds for each lane
 */
export async function runTwoLanes(tally, { computing, waiting, assets, limit, then }) {
  await Promise.all([
    tally.rungs(computing, { workers: 2, limit }),
    tally.rungs(waiting, { env: { KUBEBUILDER_ASSETS: assets }, workers: 4, limit }).then(then),
  ]);
}
