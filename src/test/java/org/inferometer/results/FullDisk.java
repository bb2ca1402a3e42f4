package org.inferometer.results;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;

/// The default file system with a disk that becomes full: every write from a given one on fails as Linux reports it.
///
/// New folders, files opened for writing, written bytes and forced bytes are writes; reading, moving and deleting go on.
public final class FullDisk extends FileSystemProvider {
    private static final String NO_SPACE = "No space left on device";
    private final FileSystem disk = FileSystems.getDefault();
    private final FileSystemProvider provider = disk.provider();
    private final FileSystem wrapped = new Wrapped();
    private final AtomicInteger writes = new AtomicInteger();
    private final int room;

    /// @param room writes that succeed
    public FullDisk(int room) {
        this.room = room;
    }

    /// The same path on this disk.
    public Path on(Path path) {
        return (Path) Proxy.newProxyInstance(FullDisk.class.getClassLoader(), new Class<?>[]{Path.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getFileSystem")) {
                        return wrapped;
                    }
                    Object[] plain = arguments == null ? new Object[0] : arguments.clone();
                    for (int i = 0; i < plain.length; i++) {
                        plain[i] = plain[i] instanceof Path each ? off(each) : plain[i];
                    }
                    try {
                        return wrapped(method.invoke(path, plain));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /// Whether a write has failed.
    public boolean isFull() {
        return writes.get() > room;
    }

    private Object wrapped(Object value) {
        return switch (value) {
            case Path path -> on(path);
            case Iterator<?> names -> StreamSupport.stream(((Iterable<?>) () -> cast(names)).spliterator(), false)
                    .map(this::wrapped).iterator();
            case null, default -> value;
        };
    }

    @SuppressWarnings("unchecked")
    private static Iterator<Object> cast(Iterator<?> names) {
        return (Iterator<Object>) names;
    }

    private static Path off(Path path) {
        return Path.of(path.toString());
    }

    private boolean fails() {
        return writes.incrementAndGet() > room;
    }

    private void write(Path file) throws FileSystemException {
        if (fails()) {
            throw new FileSystemException(file.toString(), null, NO_SPACE);
        }
    }

    /// Java names no path when bytes cannot be written.
    private void write() throws IOException {
        if (fails()) {
            throw new IOException(NO_SPACE);
        }
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        if (options.contains(StandardOpenOption.WRITE)) {
            write(path);
        }
        return new Channel(FileChannel.open(off(path), options, attributes));
    }

    @Override
    public SeekableByteChannel newByteChannel(Path path, Set<? extends OpenOption> options,
            FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> inside = provider.newDirectoryStream(off(folder), filter);
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return StreamSupport.stream(inside.spliterator(), false).map(FullDisk.this::on).iterator();
            }

            @Override
            public void close() throws IOException {
                inside.close();
            }
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        if (!Files.exists(off(folder))) {
            write(folder);
        }
        provider.createDirectory(off(folder), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        provider.delete(off(path));
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) throws IOException {
        write(to);
        provider.copy(off(from), off(to), options);
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        provider.move(off(from), off(to), options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return provider.isSameFile(off(path), off(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return provider.isHidden(off(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return provider.getFileStore(off(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        provider.checkAccess(off(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return provider.getFileAttributeView(off(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return provider.readAttributes(off(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return provider.readAttributes(off(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        provider.setAttribute(off(path), attribute, value, options);
    }

    @Override
    public String getScheme() {
        return "full";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }

    private final class Wrapped extends FileSystem {
        @Override
        public FileSystemProvider provider() {
            return FullDisk.this;
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return disk.getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return disk.getRootDirectories();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return disk.getFileStores();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return disk.supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return on(disk.getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            PathMatcher matcher = disk.getPathMatcher(pattern);
            return path -> matcher.matches(off(path));
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            return disk.getUserPrincipalLookupService();
        }

        @Override
        public WatchService newWatchService() throws IOException {
            return disk.newWatchService();
        }
    }

    private final class Channel extends FileChannel {
        private final FileChannel file;

        private Channel(FileChannel file) {
            this.file = file;
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return file.read(to);
        }

        @Override
        public long read(ByteBuffer[] to, int offset, int length) throws IOException {
            return file.read(to, offset, length);
        }

        @Override
        public int read(ByteBuffer to, long position) throws IOException {
            return file.read(to, position);
        }

        /// A full disk may take a part before it refuses the rest.
        @Override
        public int write(ByteBuffer from) throws IOException {
            if (from.hasRemaining() && fails()) {
                ByteBuffer part = from.slice(from.position(), from.remaining() / 2);
                file.write(part);
                throw new IOException(NO_SPACE);
            }
            return file.write(from);
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) throws IOException {
            FullDisk.this.write();
            return file.write(from, offset, length);
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            FullDisk.this.write();
            return file.write(from, position);
        }

        @Override
        public void force(boolean metadata) throws IOException {
            FullDisk.this.write();
            file.force(metadata);
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            file.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            file.truncate(size);
            return this;
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel to) throws IOException {
            return file.transferTo(position, count, to);
        }

        @Override
        public long transferFrom(ReadableByteChannel from, long position, long count) throws IOException {
            FullDisk.this.write();
            return file.transferFrom(from, position, count);
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
            return file.map(mode, position, size);
        }

        @Override
        public MemorySegment map(MapMode mode, long offset, long size, Arena arena) throws IOException {
            return file.map(mode, offset, size, arena);
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) throws IOException {
            return file.lock(position, size, shared);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return file.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}
