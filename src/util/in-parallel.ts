/** How many requests are under way at once: as many as the server takes from one client without queueing them. */
const width = 8;

/** Like `Promise.all` over `items.map(work)`, with a bounded number under way. The results have the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = items.entries();
  // All workers take from the same iterator.
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
