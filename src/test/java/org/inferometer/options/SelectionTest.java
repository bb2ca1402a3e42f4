package org.inferometer.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class SelectionTest {
    @Test
    void quotedValuesHoldCommasAndQuotes() {
        Selection selection = Selection.parse("serve:command=\"srv --a x,y --say \"\"hi\"\"\",port=8000");

        assertThat(selection)
                .isEqualTo(new Selection("serve", Map.of("command", "srv --a x,y --say \"hi\"", "port", "8000")));
        assertThat(selection.toString()).isEqualTo("serve:command=\"srv --a x,y --say \"\"hi\"\"\",port=8000");
    }

    @Test
    void valuesWithoutCommasAreWrittenPlain() {
        assertThat(Selection.parse("serve:command=srv 'a b' \"c\", port=1").toString())
                .isEqualTo("serve:command=srv 'a b' \"c\",port=1");
    }

    @Test
    void openQuotesAreRefused() {
        assertThatThrownBy(() -> Selection.parse("serve:command=\"srv,port=1"))
                .hasMessage("A quote in \"serve:command=\"srv,port=1\" is not closed. Close it with \".");
    }

    @Test
    void moreThan200OptionsAreRefused() {
        String options = IntStream.range(0, 200).mapToObj(i -> "f" + i + "=1").collect(Collectors.joining(","));
        assertThat(Selection.parse("naive:" + options).options()).hasSize(200);
        assertThatThrownBy(() -> Selection.parse("naive:" + options + ",one=1"))
                .hasMessage("\"naive\" has more than 200 options. Give fewer.");
    }

    @Test
    void listsOfSelectionsAreDividedAtNames() {
        assertThat(Selection.parts("naive,dynamic")).containsExactly("naive", "dynamic");
        assertThat(Selection.parts("naive:batch_size=8,batch_timeout=1,continuous,host:threads=2"))
                .containsExactly("naive:batch_size=8,batch_timeout=1", "continuous", "host:threads=2");
        assertThat(Selection.parts("serve:command=\"a,b:c\",url=http://x,simple"))
                .containsExactly("serve:command=\"a,b:c\",url=http://x", "simple");
        assertThat(Selection.parts("naive:batch_size=8")).containsExactly("naive:batch_size=8");
    }

    @Property(tries = 500)
    void anyValueIsReadBack(
            @ForAll @StringLength(max = 12) @Chars({'"', ',', '=', ' ', ':'}) @CharRange(from = 'a',
                    to = 'c') String first,
            @ForAll @StringLength(max = 12) @Chars({'"', ',', '='}) @CharRange(from = 'a', to = 'c') String second) {
        Selection selection = new Selection("x", Map.of("a", first, "b", second));

        assertThat(Selection.parse(selection.toString())).isEqualTo(selection);
    }
}
