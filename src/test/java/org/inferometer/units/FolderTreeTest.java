package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What an attacker gains who replaces a folder by a link while it is deleted.
@EnabledOnOs(OS.LINUX)
class FolderTreeTest {
    private static final String DEAD = ".writing-1-1700000000000-7.tmp";

    @TempDir
    Path folder;

    private Path kept;

    @BeforeEach
    void ownFiles() throws IOException {
        kept = Files.writeString(Files.createDirectories(folder.resolve("own/deep")).resolve("kept"), "x");
    }

    @Test
    void linkInAnyPlaceIsDeletedItself() throws IOException {
        Path tree = Files.createDirectories(folder.resolve("tree/a/b"));
        for (Path place : List.of(folder.resolve("tree/link"), folder.resolve("tree/a/link"), tree.resolve("link"))) {
            Files.createSymbolicLink(place, folder.resolve("own"));
        }
        FolderTree.delete(folder.resolve("tree"));
        FolderTree.delete(Files.createSymbolicLink(folder.resolve("top"), folder.resolve("own")));
        assertThat(FolderTree.entries(folder)).containsExactly(folder.resolve("own"));
        assertThat(kept).exists();
    }

    @Test
    void folderReplacedWhileItIsDeletedLeadsNowhere() throws IOException {
        Path tree = Files.createDirectories(folder.resolve("tree"));
        Files.createDirectories(tree.resolve("deep"));
        Files.writeString(tree.resolve("deep/kept"), "of the tree");
        try (DirectoryStream<Path> open = Files.newDirectoryStream(tree)) {
            Files.move(tree, folder.resolve("aside"));
            Files.createSymbolicLink(tree, folder.resolve("own"));
            FolderTree.delete((SecureDirectoryStream<Path>) open, Path.of("deep"), 9, null);
        }
        assertThat(kept).exists();
        assertThat(folder.resolve("aside")).isEmptyDirectory();
        assertThatThrownBy(() -> FolderTree.entries(tree)).isInstanceOf(IOException.class);
    }

    @Test
    void linkInPlaceOfALeftoverIsNotFollowed() throws IOException {
        Path marker = Files.createFile(folder.resolve("own/.running-1-1700000000000"));
        Path left = folder.resolve(".unfinished-01234567-0123-0123-0123-0123456789ab");
        Files.createSymbolicLink(left, folder.resolve("own"));
        assertThatThrownBy(() -> Leftovers.delete(left)).isInstanceOf(IOException.class);
        assertThat(List.of(kept, marker)).allMatch(Files::exists);
    }

    @Test
    void whereOthersMayWriteNothingIsALeftover() throws IOException {
        for (String rights : List.of("rwxrwxrwx", "rwxr-xr-x")) {
            Path shared = Files.createDirectories(folder.resolve("shared/" + rights));
            Path left = Files.createFile(shared.resolve(DEAD));
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString(rights));
            boolean guarded = rights.equals("rwxr-xr-x");
            assertThat(Leftovers.in(shared)).isEqualTo(guarded ? List.of(left) : List.of());
            assertThat(Leftovers.in(folder)).isEqualTo(guarded ? List.of(left) : List.of());
        }
        Path open = folder.resolve("shared/rwxrwxrwx").resolve(DEAD);
        assertThatThrownBy(() -> Leftovers.delete(open))
                .hasMessage(open + " can be replaced by another user. It is not deleted.");
        Files.setAttribute(open.getParent(), "unix:mode", 01777);
        assertThat(Leftovers.in(open.getParent())).containsExactly(open);
        Leftovers.delete(open);
        assertThat(open).doesNotExist();
    }

    @Test
    void groupCountsAsOthers() throws IOException {
        Path shared = Files.createDirectories(folder.resolve("shared"));
        Path left = Files.createFile(shared.resolve(DEAD));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertThat(Leftovers.in(shared)).isEmpty();
        assertThatThrownBy(() -> Leftovers.delete(left))
                .hasMessage(left + " can be replaced by another user. It is not deleted.");
    }

    /// Whoever can write the folder of a link chooses where it leads.
    @Test
    void linkThatOthersCanReplaceIsNotFollowed() throws IOException {
        Path left = Files.createFile(folder.resolve("own").resolve(DEAD));
        Path open = Files.createDirectories(folder.resolve("open"));
        Path link = Files.createSymbolicLink(open.resolve("results"), folder.resolve("own"));
        assertThat(Leftovers.in(link)).containsExactly(link.resolve(DEAD));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path inside = link.resolve("deep");
        Files.createFile(inside.resolve(DEAD));
        for (Path way : List.of(link, inside, Files.createSymbolicLink(folder.resolve("second"), link))) {
            assertThat(Leftovers.in(way)).isEmpty();
            assertThatThrownBy(() -> Leftovers.delete(way.resolve(DEAD)))
                    .hasMessage(way.resolve(DEAD) + " can be replaced by another user. It is not deleted.");
        }
        assertThat(left).exists();
    }

    @Test
    void linksInACircleLeadNowhere() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("circle"), Path.of("circle"));
        assertThat(OwnFiles.isGuarded(link)).isFalse();
    }

    @Test
    void folderThatOthersCanWriteIsNotEmptied() throws IOException {
        Path content =
                Files.createDirectories(folder.resolve(".unfinished-01234567-0123-0123-0123-0123456789ab/content"));
        Path other = Files.writeString(content.resolve("of-another-user"), "x");
        Files.setPosixFilePermissions(content, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path left = Leftovers.in(folder).getFirst();
        assertThatThrownBy(() -> Leftovers.delete(left))
                .hasMessage("content can be written by other users. It is not deleted.");
        assertThat(other).exists();
    }

    @Test
    void fileOfAnotherUserIsNotDeleted() throws IOException {
        Path theirs = Files.writeString(folder.resolve("own/theirs"), "x");
        UserPrincipal other = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        try {
            Files.setOwner(theirs, other);
        } catch (IOException e) {
            assumeTrue(false, "Only the administrator can give files away.");
        }
        Path own = folder.resolve("own");
        assertThatThrownBy(() -> FolderTree.deleteOwn(own))
                .hasMessage("theirs belongs to another user. It is not deleted.");
        assertThat(theirs).exists();
    }
}
