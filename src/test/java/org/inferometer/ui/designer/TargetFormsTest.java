package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.inferometer.options.Selection;
import org.inferometer.target.http.HttpTargetKind;
import org.inferometer.ui.designer.BackendForm.BackendChoice;
import org.junit.jupiter.api.Test;

class TargetFormsTest {
    @Test
    void whatHasNoFieldIsKept() {
        TargetForms forms = new TargetForms(List.of(new BackendChoice(Selection.of("http"), "HTTP",
                new HttpTargetKind(name -> Optional.empty()).options(), true)), () -> {});
        Selection azure = Selection.parse("http:url=https://a.test,header.api-key=env:K,body.a.b=1");
        forms.load(List.of(azure));
        assertThat(forms.selections()).singleElement()
                .satisfies(selection -> assertThat(selection.options()).isEqualTo(azure.options()));
    }
}
