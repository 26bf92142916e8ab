/** Without this, Next.js takes the outermost folder with a lock file for the application. */
export default { turbopack: { root: import.meta.dirname } }
