/** The nodes of a way that leads back to where it began, the first one once; undefined without one. */
export function findLoop<T>(graph: ReadonlyMap<T, ReadonlySet<T>>): readonly T[] | undefined {
  const done = new Set<T>();
  for (const start of graph.keys()) {
    // Nodes on the way, each with those that are still to be followed. Not recursive: graphs may be long.
    const way = [{ node: start, rest: [...(graph.get(start) ?? [])] }];
    const places = new Map([[start, 0]]);
    while (!done.has(start)) {
      const last = way.at(-1);
      if (last === undefined) break;
      const next = last.rest.pop();
      const place = next === undefined ? undefined : places.get(next);
      if (next === undefined) {
        done.add(last.node);
        places.delete(last.node);
        way.pop();
      } else if (place !== undefined) return way.slice(place).map(({ node }) => node);
      else if (!done.has(next)) {
        places.set(next, way.length);
        way.push({ node: next, rest: [...(graph.get(next) ?? [])] });
      }
    }
  }
  return undefined;
}
