// What users can import, as the TypeScript checker sees it: the exports of the entries, and what their signatures mention.
import ts from 'typescript';
import { repositoryRoot } from './source-files.ts';

/** The entries of the package that people write against; `opsdk/k8s/*` is generated. */
export const entries = {
  opsdk: 'src/index.ts',
  'opsdk/testing': 'src/testing.ts',
  'opsdk/tracing': 'src/tracing.ts',
} as const;

/** One export of an entry. */
export interface PublicExport {
  readonly name: string;
  readonly isValue: boolean;
  readonly symbol: ts.Symbol;
}

/** One program over the entries, and questions about it. */
export function openSurface(): {
  exportsOf(entry: keyof typeof entries): PublicExport[];
  /** The types that the signatures of an export mention: their names, with the symbols they stand for. */
  typesNamedBy(
    item: PublicExport,
  ): { readonly name: string; readonly symbol: ts.Symbol; readonly at: string }[];
  /** The places below an export that an editor shows no text for: `Client.get`. */
  withoutDocs(item: PublicExport): string[];
  /** The error codes that the documentation of an export and its members names. */
  codesNamedBy(item: PublicExport): string[];
  /** Values whose type is inferred: the declaration must say it, or this test cannot see it. */
  inferred(item: PublicExport): string[];
} {
  const files = Object.values(entries).map((file) => repositoryRoot + file);
  const program = ts.createProgram(files, compilerOptions());
  const checker = program.getTypeChecker();

  const target = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  function exportsOf(entry: keyof typeof entries): PublicExport[] {
    const source = program.getSourceFile(repositoryRoot + entries[entry]);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${entries[entry]} is not a module`);
    return checker.getExportsOfModule(module).map((symbol) => ({
      name: symbol.name,
      isValue: isValueExport(symbol),
      symbol: target(symbol),
    }));
  }

  /** False for `export type { X }` and for what has no value anyway. */
  function isValueExport(symbol: ts.Symbol): boolean {
    if ((target(symbol).flags & ts.SymbolFlags.Value) === 0) return false;
    return !(symbol.declarations ?? []).some((declaration) => ts.isTypeOnlyExportDeclaration(declaration));
  }

  function publicNodes(item: PublicExport): ts.Node[] {
    return (item.symbol.declarations ?? []).flatMap((declaration) =>
      signatureNodes(declaration, item.isValue),
    );
  }

  function typesNamedBy(item: PublicExport): ReturnType<ReturnType<typeof openSurface>['typesNamedBy']> {
    const found: { name: string; symbol: ts.Symbol; at: string }[] = [];
    const visit = (node: ts.Node): void => {
      const name = ts.isTypeReferenceNode(node)
        ? node.typeName
        : ts.isExpressionWithTypeArguments(node)
          ? node.expression
          : undefined;
      const symbol = name && checker.getSymbolAtLocation(name);
      if (name !== undefined && symbol !== undefined)
        found.push({ name: name.getText(), symbol: target(symbol), at: place(node) });
      ts.forEachChild(node, visit);
    };
    publicNodes(item).forEach(visit);
    return found;
  }

  function withoutDocs(item: PublicExport): string[] {
    const isSilent = (symbol: ts.Symbol | undefined): boolean =>
      symbol?.getDocumentationComment(checker).length === 0;
    const own = isSilent(item.symbol) ? [item.name] : [];
    const silent = membersOf(item).filter(
      (member) => member.name !== undefined && isSilent(checker.getSymbolAtLocation(member.name)),
    );
    return [...own, ...silent.map((member) => `${item.name}.${member.name?.getText() ?? ''}`)];
  }

  function codesNamedBy(item: PublicExport): string[] {
    const texts = [...(item.symbol.declarations ?? []), ...membersOf(item)].map((node) =>
      ts
        .getJSDocCommentsAndTags(node)
        .map((doc) => doc.getText())
        .join(),
    );
    return texts.flatMap((text) =>
      [...text.matchAll(/(?<!\.)\b((?:kube|runtime|testenv)\/[a-z0-9-]+)/g)].map(([, code = '']) => code),
    );
  }

  function inferred(item: PublicExport): string[] {
    const open = publicNodes(item).filter(
      (node) =>
        (ts.isFunctionLike(node) && !ts.isConstructorDeclaration(node) && node.type === undefined) ||
        (ts.isParameter(node) && node.type === undefined && node.initializer === undefined),
    );
    return open.map(place);
  }

  return { exportsOf, typesNamedBy, withoutDocs, codesNamedBy, inferred };
}

const membersOf = (item: PublicExport): (ts.ClassElement | ts.TypeElement)[] =>
  (item.symbol.declarations ?? []).flatMap((declaration) =>
    ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)
      ? publicMembers(declaration)
      : [],
  );

/** The parts of a declaration that its users see: no bodies, nothing private; the constructor only of classes that can be constructed. */
function signatureNodes(declaration: ts.Node, isValue: boolean): ts.Node[] {
  if (ts.isFunctionLike(declaration)) {
    const { typeParameters = [], parameters, type } = declaration;
    const types = parameters.flatMap((parameter) => (parameter.type === undefined ? [] : [parameter.type]));
    return [...typeParameters, ...types, ...(type === undefined ? [] : [type])];
  }
  if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) {
    const { typeParameters = [], heritageClauses = [] } = declaration;
    const members = publicMembers(declaration).filter(
      (member) => isValue || !ts.isConstructorDeclaration(member),
    );
    return [
      ...typeParameters,
      ...heritageClauses.filter((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword),
      ...members.flatMap((member) => signatureNodes(member, isValue)),
    ];
  }
  if (ts.isPropertyDeclaration(declaration) || ts.isVariableDeclaration(declaration))
    return declaration.type === undefined ? [] : [declaration.type];
  return [declaration];
}

function publicMembers(
  declaration: ts.ClassDeclaration | ts.InterfaceDeclaration,
): (ts.ClassElement | ts.TypeElement)[] {
  return [...declaration.members].filter((member) => {
    const hidden = ts.canHaveModifiers(member)
      ? ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
      : false;
    const { name } = member;
    return hidden !== true && !(name !== undefined && (ts.isPrivateIdentifier(name) || isOwnSymbol(name)));
  });
}

/** `[brand]`: a property that only this package can name. `[Symbol.asyncDispose]` is known to everybody. */
const isOwnSymbol = (name: ts.PropertyName): boolean => ts.isComputedPropertyName(name);

function place(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${source.fileName.slice(repositoryRoot.length)}:${line + 1}`;
}

function compilerOptions(): ts.CompilerOptions {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic: ts.Diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    },
  };
  const config = ts.getParsedCommandLineOfConfigFile(
    `${repositoryRoot}tsconfig.json`,
    { noEmit: true },
    host,
  );
  if (config === undefined) throw new Error('tsconfig.json cannot be read');
  return config.options;
}
