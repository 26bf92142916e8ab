'use strict'
/** Uploads `web/dist` after a deployment. Old hashed files remain, because open pages still request them. */
const { existsSync, readdirSync, readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { extname, join, relative, sep } = require('node:path')
const { DeleteObjectsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } = require('@aws-sdk/client-s3')

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const FOREVER = 'public, max-age=31536000, immutable'
const FOLDER = join('web', 'dist')

/** `index.html` comes last: it references the other files. */
function filesOf(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
  const named = found.map((path) => ({ path, Key: relative(folder, path).split(sep).join('/') }))
  return named
    .sort((a, b) => Number(a.Key === 'index.html') - Number(b.Key === 'index.html'))
    .map(({ path, Key }) => ({
      Key,
      Body: readFileSync(path),
      ContentType: TYPES[extname(path)] ?? 'application/octet-stream',
      CacheControl: Key.startsWith('assets/') ? FOREVER : 'no-cache',
    }))
}

module.exports = class Web {
  constructor(serverless) {
    this.serverless = serverless
    this.hooks = {
      'before:deploy:deploy': () => this.needBuild(),
      'after:deploy:deploy': () => this.upload(),
      'before:remove:remove': () => this.empty(),
    }
  }

  /** Local stacks have no distribution, so there is nothing to upload. */
  get isDeclared() {
    return Boolean(this.serverless.service.resources?.Resources?.WebBucket)
  }

  needBuild() {
    const { classes, serviceDir } = this.serverless
    if (this.isDeclared && !existsSync(join(serviceDir, FOLDER, 'index.html')))
      throw new classes.Error(`${FOLDER} is missing: run "npm run build" first.`)
  }

  async upload() {
    if (!this.isDeclared) return
    const { Bucket, s3 } = await this.bucket()
    const files = filesOf(join(this.serverless.serviceDir, FOLDER))
    for (const file of files) await s3.send(new PutObjectCommand({ Bucket, ...file }))
    this.serverless.cli?.log?.(`Uploaded ${files.length} web application files to ${Bucket}`)
  }

  async empty() {
    if (!this.isDeclared) return
    const { Bucket, s3 } = await this.bucket()
    for (;;) {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }))
      if (Contents.length === 0) return
      const Objects = Contents.map(({ Key }) => ({ Key }))
      await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
    }
  }

  async bucket() {
    const provider = this.serverless.getProvider('aws')
    const { DescribeStackResourceCommand } = createRequire(require.resolve('osls/package.json'))(
      '@aws-sdk/client-cloudformation',
    )
    const stacks = await provider.getCloudFormationClient()
    const asked = { StackName: provider.naming.getStackName(), LogicalResourceId: 'WebBucket' }
    const { StackResourceDetail } = await stacks.send(new DescribeStackResourceCommand(asked))
    const s3 = new S3Client(await provider.getAwsSdkV3Config())
    return { Bucket: StackResourceDetail.PhysicalResourceId, s3 }
  }
}

module.exports.filesOf = filesOf
