import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareKeys, KeyIndex, type PageRequest } from '../src/s3/key-index.ts'
import { catchErrorCode, md5, newBucket, sendSigned, startSuite } from './s3-kit.ts'

const suite = await startSuite()

async function createBucketWith(keys: string[]): Promise<string> {
  const Bucket = await newBucket(suite.client)
  await Promise.all(keys.map((Key) => suite.client.send(new PutObjectCommand({ Bucket, Key, Body: Key }))))
  return Bucket
}

type Options = Omit<ListObjectsV2CommandInput, 'Bucket'>

const list = async (Bucket: string, options: Options = {}) => {
  const page = await suite.client.send(new ListObjectsV2Command({ Bucket, ...options }))
  const keys = (page.Contents ?? []).map(({ Key }) => Key!)
  const prefixes = (page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix!)
  return { ...page, keys, prefixes }
}

async function listAll(Bucket: string, options: Options) {
  const pages: Awaited<ReturnType<typeof list>>[] = []
  let ContinuationToken: string | undefined
  do {
    pages.push(await list(Bucket, { ...options, ContinuationToken }))
    ContinuationToken = pages.at(-1)!.NextContinuationToken
  } while (ContinuationToken)
  return pages
}

describe('ListObjectsV2', () => {
  it('returns size, entity tag and time of each object', async () => {
    const Bucket = await createBucketWith(['one'])
    const { Contents, KeyCount, MaxKeys, IsTruncated, Name } = await list(Bucket)
    expect({ KeyCount, MaxKeys, IsTruncated, Name }).toEqual({
      KeyCount: 1,
      MaxKeys: 1000,
      IsTruncated: false,
      Name: Bucket,
    })
    expect(Contents![0]).toMatchObject({ Key: 'one', Size: 3, ETag: `"${md5('one')}"`, StorageClass: 'STANDARD' })
    expect(Math.abs(Date.now() - Contents![0]!.LastModified!.getTime())).toBeLessThan(60_000)
  })

  it('sorts by UTF-8 bytes', async () => {
    const keys = ['A', 'B/', 'Z', 'a', 'a b', 'a!', 'a/b', 'a0', 'aa', 'é', '\uffee', '😀']
    const Bucket = await createBucketWith([...keys].reverse())
    const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect((await list(Bucket)).keys).toEqual(sorted)
  })

  it('groups keys into common prefixes, below a prefix too', async () => {
    const Bucket = await createBucketWith(['a', 'l/', 'l/0/x', 'l/0/y', 'l/1/x', 'l/top', 'm/z'])
    const root = await list(Bucket, { Delimiter: '/' })
    expect([root.keys, root.prefixes]).toEqual([['a'], ['l/', 'm/']])
    const below = await list(Bucket, { Delimiter: '/', Prefix: 'l/' })
    expect([below.keys, below.prefixes, below.KeyCount]).toEqual([['l/', 'l/top'], ['l/0/', 'l/1/'], 4])
    expect((await list(Bucket, { Prefix: 'l/0' })).keys).toEqual(['l/0/x', 'l/0/y'])
  })

  it('continues across pages without loss or repetition', async () => {
    const keys = Array.from({ length: 23 }, (_, n) => `p/${n % 5}/${String(n).padStart(2, '0')}`)
    const Bucket = await createBucketWith(keys)
    const plain = await listAll(Bucket, { MaxKeys: 4 })
    expect(plain.flatMap((page) => page.keys)).toEqual([...keys].sort())
    expect(plain.map((page) => page.keys.length)).toEqual([4, 4, 4, 4, 4, 3])
    const rolled = await listAll(Bucket, { MaxKeys: 2, Delimiter: '/', Prefix: 'p/' })
    expect(rolled.map((page) => page.prefixes)).toEqual([['p/0/', 'p/1/'], ['p/2/', 'p/3/'], ['p/4/']])
  })

  it('starts after a given key', async () => {
    const Bucket = await createBucketWith(['a', 'b', 'c'])
    expect((await list(Bucket, { StartAfter: 'a' })).keys).toEqual(['b', 'c'])
    expect((await list(Bucket, { StartAfter: 'bb' })).keys).toEqual(['c'])
    expect((await list(Bucket, { MaxKeys: 0 })).keys).toEqual([])
  })

  it('reflects writes and deletions immediately', async () => {
    const Bucket = await createBucketWith(['a', 'b'])
    expect((await list(Bucket)).keys).toEqual(['a', 'b'])
    await suite.client.send(new PutObjectCommand({ Bucket, Key: 'aa', Body: '' }))
    await suite.client.send(new DeleteObjectCommand({ Bucket, Key: 'b' }))
    await suite.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'longer' }))
    const { keys, Contents } = await list(Bucket)
    expect([keys, Contents![0]!.Size]).toEqual([['a', 'aa'], 6])
  })

  it('encodes keys that XML cannot contain', async () => {
    const keys = ['line\nbreak', 'nul\u0000', 'plus+ space&<>/ü', '  blanks  ', '&amp;']
    const Bucket = await createBucketWith(keys)
    const { keys: encoded, EncodingType } = await list(Bucket, { EncodingType: 'url' })
    const decoded = encoded.map((key) => decodeURIComponent(key.replaceAll('+', ' ')))
    expect([decoded, EncodingType]).toEqual([[...keys].sort(), 'url'])
  })

  it('returns keys unchanged without encoding', async () => {
    const keys = ['  blanks  ', '&amp;', 'quote"\'<tag>', 'ü/日本']
    expect((await list(await createBucketWith(keys))).keys).toEqual(keys)
  })

  it('rejects invalid numbers, tokens and encodings', async () => {
    const Bucket = await createBucketWith([])
    expect(await catchErrorCode(list(Bucket, { ContinuationToken: 'nonsense' }))).toBe('InvalidArgument 400')
    for (const query of ['list-type=2&max-keys=many', 'encoding-type=odd&list-type=2']) {
      const answer = await sendSigned(suite.endpoint, { method: 'GET', path: `/${Bucket}?${query}` })
      expect(answer.body).toContain('<Code>InvalidArgument</Code>')
    }
    expect(await catchErrorCode(list('no-such-bucket-here'))).toBe('NoSuchBucket 404')
  })
})

describe('key index', () => {
  const key = fc.stringMatching(/^[ab/\ud7ff\uffee😀]{1,5}$/u)
  const object = { sizeBytes: 1, etag: '', lastModified: 0 }

  it('compares keys by UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
  })

  function computeListing(keys: Set<string>, prefix: string, delimiter: string): string[] {
    const sorted = [...keys].filter((each) => each.startsWith(prefix)).sort(compareKeys)
    const rolled = sorted.map((each) => {
      const at = delimiter ? each.indexOf(delimiter, prefix.length) : -1
      return at < 0 ? `key ${each}` : `prefix ${each.slice(0, at + delimiter.length)}`
    })
    return [...new Set(rolled)]
  }

  function listAllKeys(index: KeyIndex, request: Omit<PageRequest, 'after'>): string[] {
    const found: string[] = []
    let after: PageRequest['after']
    do {
      const page = index.getPage({ ...request, after })
      const keys = page.objects.map(([each]) => `key ${each}`)
      const entries = [...keys, ...page.commonPrefixes.map((each) => `prefix ${each}`)]
      expect(entries.length).toBeLessThanOrEqual(request.maxKeys)
      found.push(...entries)
      after = page.next
    } while (after)
    return found
  }

  it('pages through any keys as one sorted list, after any changes', () => {
    const change = fc.record({ key, isDeleted: fc.boolean() })
    const prefix = fc.oneof(fc.constant(''), key)
    const delimiter = fc.constantFrom('', '/', 'a', 'b/')
    const maxKeys = fc.integer({ min: 1, max: 4 })
    fc.assert(
      fc.property(
        fc.array(key),
        fc.array(change),
        prefix,
        delimiter,
        maxKeys,
        (loaded, changes, prefix, delimiter, maxKeys) => {
          const index = new KeyIndex(loaded.map((each) => [each, object]))
          const keys = new Set(loaded)
          for (const { key, isDeleted } of changes) {
            if (isDeleted) index.delete(key)
            else index.set(key, object)
            if (isDeleted) keys.delete(key)
            else keys.add(key)
          }
          expect(index.size).toBe(keys.size)
          const pages = listAllKeys(index, { prefix, delimiter, maxKeys })
          expect(new Set(pages).size).toBe(pages.length)
          expect([...pages].sort()).toEqual(computeListing(keys, prefix, delimiter).sort())
          if (maxKeys === 1) expect(pages).toEqual(computeListing(keys, prefix, delimiter))
        },
      ),
    )
  })
})
