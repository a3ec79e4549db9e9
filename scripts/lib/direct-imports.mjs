// Lets compiled modules import from the file that declares a name, past the index that lists it. Node and bundlers load with an index all
// that it lists: a command would start with its neighbours, and an operator with what only tests and the command line ask of its rooms.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';

const ts = createRequire(import.meta.url)('typescript');

/** Modules that ship in operators. */
const shipped = /^(?:index\.js$|sdk\/)/;

/**
 * Rewrites imports of the indexes of other rooms, static ones and `const { x } = await import(…)`. Lines stay where they are. Modules that
 * an operator starts with go on to use indexes, and modules that it loads later import these modules from the indexes of their rooms:
 * bundlers make one chunk of what the same modules import. These indexes list what is still imported from them.
 * @param folder absolute; compiled modules
 */
export function importDirectly(folder) {
  const modules = new Map(
    readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith('.js'))
      .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')]),
  );
  const rooms = new Rooms(folder, modules);
  const isShipped = (path) => shipped.test(relative(folder, path).split(sep).join('/'));
  const first = loadedFirst(join(folder, 'index.js'), rooms);
  const loaded = namesFromIndexes(first, rooms);
  for (const path of modules.keys())
    if (!isShipped(path)) modules.set(path, directImports(path, rooms));
    else if (!first.has(path)) modules.set(path, directImports(path, rooms, loaded));
  const used = namesFromIndexes(modules.keys(), rooms);
  for (const [index, names] of used)
    if (isShipped(index) && !names.has('*')) modules.set(index, reducedIndex(index, rooms, names));
  for (const [path, text] of modules) writeFileSync(path, text);
}

/** The names that modules import from each index. */
function namesFromIndexes(paths, rooms) {
  const found = new Map();
  for (const path of paths)
    for (const { index, names } of rooms.importsOf(path)) {
      if (!found.has(index)) found.set(index, new Set());
      for (const name of names) found.get(index).add(name);
    }
  return found;
}

/** The modules that are loaded with one, not later. */
function loadedFirst(entry, rooms) {
  const found = new Set([entry]);
  for (const path of found) {
    for (const statement of rooms.parsed(path).statements) {
      const specifier = specifierOf(statement);
      if (!specifier?.startsWith('.')) continue;
      const index = rooms.indexOf(path, specifier);
      const elements = index === undefined ? undefined : elementsOf(statement);
      if (elements === undefined) found.add(join(dirname(path), specifier));
      else for (const [file] of grouped(index, elements, rooms, ' as ')) found.add(file);
    }
  }
  return found;
}

class Rooms {
  #folder;
  #modules;
  #trees = new Map();

  constructor(folder, modules) {
    this.#folder = folder;
    this.#modules = modules;
  }

  parsed(path) {
    const text = this.#modules.get(path);
    const known = this.#trees.get(path);
    if (known?.text === text) return known;
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
    this.#trees.set(path, tree);
    return tree;
  }

  /** The index of a room, if a specifier in a module outside of the room stands for one. */
  indexOf(from, specifier) {
    if (!specifier?.startsWith('.') || !specifier.endsWith('/index.js')) return undefined;
    const path = join(dirname(from), specifier);
    const isOther = !from.startsWith(dirname(path) + sep) || path === this.ownIndex(from);
    return this.#modules.has(path) && isOther ? path : undefined;
  }

  /** The index of the room of a module that ships, as `sdk/kube/index.js`. */
  ownIndex(path) {
    return join(this.#folder, ...relative(this.#folder, path).split(sep).slice(0, 2), 'index.js');
  }

  /** The module that declares the export of an index, and the name it has there. */
  declared(index, name) {
    for (const statement of this.parsed(index).statements) {
      const specifier = ts.isExportDeclaration(statement) ? statement.moduleSpecifier?.text : undefined;
      if (!specifier?.startsWith('.')) continue;
      if (statement.exportClause === undefined)
        throw new Error(`${relative(this.#folder, index)} exports all of ${specifier}: list the names`);
      const found = statement.exportClause.elements.find((element) => element.name.text === name);
      if (found === undefined) continue;
      const path = join(dirname(index), specifier);
      const inner = (found.propertyName ?? found.name).text;
      return specifier.endsWith('/index.js') ? this.declared(path, inner) : { path, name: inner };
    }
    return { path: index, name };
  }

  /** The names that a module imports from indexes; `*` for all of them. */
  importsOf(path) {
    const found = [];
    const visit = (node) => {
      const specifier = specifierOf(node);
      const index = this.indexOf(path, specifier);
      if (index !== undefined) {
        const elements = elementsOf(node);
        found.push({ index, names: elements?.map(nameOf) ?? ['*'] });
      }
      ts.forEachChild(node, visit);
    };
    visit(this.parsed(path));
    return found;
  }
}

/**
 * The text of a module with its imports of indexes resolved.
 * @param loaded names that indexes export before this module is loaded; it imports them from there
 */
function directImports(path, rooms, loaded = new Map()) {
  const edits = [];
  const replace = (node, text) => {
    const lines = node.getText().split('\n').length - text.split('\n').length;
    edits.push({ start: node.getStart(), end: node.end, text: text + '\n'.repeat(lines) });
  };
  const visit = (node) => {
    const index = rooms.indexOf(path, specifierOf(node));
    const elements = index === undefined ? undefined : elementsOf(node);
    if (index === undefined && ts.isImportDeclaration(node)) {
      const text = importOfLoaded(path, node, rooms, loaded);
      if (text !== undefined) replace(node, text);
    }
    if (elements !== undefined) {
      const isLazy = ts.isCallExpression(node);
      const isLoaded = (element) => loaded.get(index)?.has(nameOf(element));
      const others = elements.filter((element) => !isLoaded(element));
      const groups = grouped(index, others, rooms, isLazy ? ': ' : ' as ');
      if (others.length === 0) {
        // All names stay with the index.
      } else if (!isLazy) {
        const word = ts.isImportDeclaration(node) ? 'import' : 'export';
        const stay = elements.filter(isLoaded).map((element) => element.getText());
        const each = [...(stay.length === 0 ? [] : [[index, stay.join(', ')]]), ...groups].map(
          ([file, names]) => `${word} { ${names} } from ${specifierTo(path, file)};`,
        );
        replace(node, each.join(' '));
      } else if (groups.length === 1 && others.length === elements.length) {
        // Names of several modules stay with the index.
        const [[file, names]] = groups;
        replace(elements[0].parent, `{ ${names} }`);
        replace(node.arguments[0], specifierTo(path, file));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(rooms.parsed(path));
  return edited(rooms.parsed(path).text, edits);
}

/**
 * The text of an import from the same room, with the names from the index of the room that it exports already; undefined if it exports none
 * of them.
 */
function importOfLoaded(path, node, rooms, loaded) {
  const from = join(dirname(path), specifierOf(node));
  const index = rooms.ownIndex(path);
  const elements = elementsOf(node) ?? [];
  const isLoaded = (element) => {
    if (!loaded.get(index)?.has(nameOf(element))) return false;
    const { path: file, name } = rooms.declared(index, nameOf(element));
    return file === from && name === nameOf(element);
  };
  const parts = [
    [index, elements.filter(isLoaded)],
    [from, elements.filter((element) => !isLoaded(element))],
  ];
  if (parts[0][1].length === 0) return undefined;
  return parts
    .filter(([, names]) => names.length > 0)
    .map(([file, names]) => {
      const list = names.map((name) => name.getText()).join(', ');
      return `import { ${list} } from ${specifierTo(path, file)};`;
    })
    .join(' ');
}

/** The text of an index without the names that nobody imports from it. */
function reducedIndex(index, rooms, names) {
  const tree = rooms.parsed(index);
  const edits = tree.statements.filter(ts.isExportDeclaration).map((statement) => {
    const kept = statement.exportClause.elements.filter((each) => names.has(each.name.text));
    const list = kept.map((each) => each.getText()).join(', ');
    const from =
      statement.moduleSpecifier === undefined ? '' : ` from ${statement.moduleSpecifier.getText()}`;
    const text = kept.length === 0 ? '' : `export { ${list} }${from};`;
    return { start: statement.getStart(), end: statement.end, text };
  });
  return edited(tree.text, edits);
}

function edited(text, edits) {
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, text: to }) => result.slice(0, start) + to + result.slice(end), text);
}

function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier?.text;
  const isLazy = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isLazy ? node.arguments[0].text : undefined;
}

/** The names that an import lists; undefined if it takes the whole module. */
function elementsOf(node) {
  if (ts.isCallExpression(node)) {
    const pattern = ts.isAwaitExpression(node.parent) ? node.parent.parent.name : undefined;
    return pattern !== undefined && ts.isObjectBindingPattern(pattern) ? pattern.elements : undefined;
  }
  const list = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  const isNamed = list !== undefined && (ts.isNamedImports(list) || ts.isNamedExports(list));
  return isNamed && node.importClause?.name === undefined ? list.elements : undefined;
}

/** The name under which a module exports an element of an import of it. */
function nameOf(element) {
  return (element.propertyName ?? element.name).text;
}

/** `{ a, b as c }` of an index as `[module, 'a, b as c']`. */
function grouped(index, elements, rooms, separator) {
  const groups = new Map();
  for (const element of elements) {
    const local = element.name.text;
    const { path, name } = rooms.declared(index, nameOf(element));
    groups.set(path, [...(groups.get(path) ?? []), name === local ? local : `${name}${separator}${local}`]);
  }
  return [...groups].map(([path, names]) => [path, names.join(', ')]);
}

function specifierTo(from, path) {
  const way = relative(dirname(from), path).split(sep).join('/');
  return JSON.stringify(way.startsWith('.') ? way : `./${way}`);
}
