// The types of css-tree name the whole package only.
declare module 'css-tree/parser' {
  // biome-ignore lint/style/noDefaultExport: the package has it
  export { parse as default } from 'css-tree';
}

declare module 'css-tree/walker' {
  // biome-ignore lint/style/noDefaultExport: the package has it
  export { walk as default } from 'css-tree';
}
