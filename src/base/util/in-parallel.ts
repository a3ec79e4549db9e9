/** Default number of concurrent requests: as many as the API server accepts from one client without queueing them. */
const usualWidth = 8;

/**
 * Like `Promise.all` over `items.map(work)`, with bounded concurrency. The results have the order of the items. When one call fails, no
 * further call begins, and the returned promise rejects only after all running calls have ended.
 * @param onFailure called with the first failure; may abort the running calls
 * @throws the first failure
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  {
    width = usualWidth,
    onFailure,
  }: { readonly width?: number; readonly onFailure?: (error: unknown) => void } = {},
): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const failures: unknown[] = [];
  // All workers take items from the same iterator, so that each item is processed once.
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        if (failures.push(error) === 1) onFailure?.(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
