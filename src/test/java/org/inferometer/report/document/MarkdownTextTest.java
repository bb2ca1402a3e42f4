package org.inferometer.report.document;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.inferometer.report.document.MarkdownReport.MarkdownText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '^',
            value = {"ask @team now!ask `@team` now", "by a@b.com.!by `a@b.com.`",
                    "see http://x.test/a_b!see `http://x.test/a_b`", "www.x.test!`www.x.test`",
                    "WWW.x.test!`WWW.x.test`", "fixes #12!fixes `#12`", "owner/repo#1!`owner/repo#1`", "GH-12!`GH-12`",
                    "2c570bdc!`2c570bdc`", "1234567!1234567", "costs $x$ or :tada:!costs `$x$` or `:tada:`",
                    "name:tada::tada:!`name:tada::tada:`", "llama-3 a_b *c*!llama-3 a\\_b \\*c\\*",
                    "a|b <img src=x> [l](u)!a\\|b &lt;img src=x&gt; \\[l\\](u)", "@a|@b`@c`!`@a`\\|`@b`&#96;`@c`&#96;",
                    "[l](http://x.test)!`[l](http://x.test)`",
                    "tiny at http://127.0.0.1:8000!tiny at `http://127.0.0.1:8000`", "5 % of 10:30:45!5 % of 10:30:45"})
    void activeWordsAreQuoted(String text, String markdown) {
        assertThat(MarkdownText.of(text)).isEqualTo(markdown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"- item", "+ item", "* item", "1. item", "23) item", "# title", "> quote", "---", "===",
            "    code", "``` fence", "~~~ fence", ":--: rule", "| a | b |", "<b>", "[x]: y"})
    void paragraphStaysAParagraph(String text) {
        assertThat(MarkdownText.paragraph(text)).doesNotMatch("(?s)([-+*#>=<|~ ]|\\d+[.)]|```|:-|\\[).*");
        assertThat(Shown.of(MarkdownText.paragraph(text)).all()).isEqualTo(text.strip());
    }

    @Property(tries = 2000)
    void everyTextIsShownAsItIs(@ForAll("texts") String text) {
        Shown shown = Shown.of(MarkdownText.of(text));
        assertThat(shown.all()).isEqualTo(text);
        assertThat(shown.active()).doesNotContainPattern(
                "@|://|(?i:www\\.)|#\\d|(?i)\\bGH-\\d|\\$|[!%&~]\\w|(?<!\\w):[a-z]+:|\\b[0-9]*[a-f][0-9a-f]{6,}\\b");
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries
                .of("@", "name", "a@b.com", "http", "://", "www.", "#", "12", "GH-", "owner/repo", "2c570bdc", "`",
                        "``", "|", "\\", "*", "_", "[", "](", ")", "<", ">", "&", "&amp;", "&#64;", "!", "$", "~", "^",
                        ":tada:", " ", "  ", "-", "1.", "é", "<!--", "mailto:")
                .list().ofMaxSize(12).map(parts -> String.join("", parts));
    }

    /// What a reader of CommonMark shows of a line.
    ///
    /// @param active the part in which sites look for names and addresses; code is a line feed there
    private record Shown(String all, String active) {
        static Shown of(String markdown) {
            StringBuilder all = new StringBuilder();
            StringBuilder active = new StringBuilder();
            for (int i = 0; i < markdown.length(); i++) {
                char c = markdown.charAt(i);
                int end;
                String literal = String.valueOf(c);
                if (c == '\\' && i + 1 < markdown.length()
                        && "\\`*_[]#|~^-+=:.)".indexOf(markdown.charAt(i + 1)) >= 0) {
                    literal = String.valueOf(markdown.charAt(++i));
                } else if (c == '`') {
                    end = markdown.indexOf('`', i + 1);
                    assertThat(end).as("an open quote in %s", markdown).isGreaterThan(i + 1);
                    all.append(markdown, i + 1, end);
                    active.append('\n');
                    i = end;
                    continue;
                } else if (c == '&') {
                    end = markdown.indexOf(';', i);
                    literal = switch (markdown.substring(i, end + 1)) {
                        case "&lt;" -> "<";
                        case "&gt;" -> ">";
                        case "&amp;" -> "&";
                        case "&#96;" -> "`";
                        default -> throw new AssertionError("An entity is open in " + markdown);
                    };
                    i = end;
                } else {
                    assertThat("\\*_[]<>|#~").as("markup in %s", markdown).doesNotContain(literal);
                }
                all.append(literal);
                active.append(literal);
            }
            return new Shown(all.toString(), active.toString());
        }
    }
}
