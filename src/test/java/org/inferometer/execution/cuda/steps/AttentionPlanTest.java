package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

class AttentionPlanTest {
    private static final AttentionTiling H100 = new AttentionTiling(132, 8, 4);
    private static final int BLOCKS_EACH = 2;

    /// As a kernel reads it.
    private record Item(int firstRow, int rows, int table, int from, int end, int range, int ranges, int partial) {
        static Item of(MemorySegment list, int number) {
            int[] fields = KernelStruct.ATTENTION_ITEM.fields().stream().mapToInt(
                    field -> list.get(ValueLayout.JAVA_INT, (long) AttentionPlan.ITEM_BYTES * number + field.offset()))
                    .toArray();
            return new Item(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7]);
        }

        int positions() {
            return end - from;
        }
    }

    /// Items of sequences that decode a row each.
    private static List<Item> decode(AttentionTiling tiling, int... positions) {
        AttentionPlan plan = new AttentionPlan(tiling, positions.length);
        for (int row = 0; row < positions.length; row++) {
            plan.add(row, 1, 100 * row, 0, positions[row]);
        }
        return items(tiling, plan);
    }

    private static List<Item> items(AttentionTiling tiling, AttentionPlan plan) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment list =
                    arena.allocate((long) AttentionPlan.ITEM_BYTES * tiling.mostItems(plan.tiles()), Integer.BYTES);
            int items = plan.write(list, 0);
            return IntStream.range(0, items).mapToObj(number -> Item.of(list, number)).toList();
        }
    }

    /// Positions that the busiest of the card's block places computes, if each takes the next item when it is free.
    private static long longest(AttentionTiling tiling, List<Item> items) {
        PriorityQueue<Long> places = new PriorityQueue<>();
        for (int i = 0; i < BLOCKS_EACH * tiling.multiprocessors(); i++) {
            places.add(0L);
        }
        for (Item item : items) {
            for (int kvHead = 0; kvHead < tiling.kvHeads(); kvHead++) {
                places.add(places.remove() + item.positions());
            }
        }
        return places.stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    private static double even(AttentionTiling tiling, List<Item> items) {
        long all = items.stream().mapToLong(Item::positions).sum() * tiling.kvHeads();
        return (double) all / (BLOCKS_EACH * tiling.multiprocessors());
    }

    @Test
    void rangesCoverEachPositionOnceWithinTheLimits() {
        RandomGenerator random = new Seed(5).generator();
        for (int round = 0; round < 500; round++) {
            AttentionTiling tiling =
                    new AttentionTiling(random.nextInt(1, 150), 1 << random.nextInt(6), random.nextInt(1, 80));
            int tiles = random.nextInt(1, 40);
            AttentionPlan plan = new AttentionPlan(tiling, tiles);
            List<Item> whole = new ArrayList<>();
            for (int i = 0, row = 0; i < tiles; row += whole.get(i).rows(), i++) {
                int rows = random.nextInt(1, tiling.tileRows() + 1);
                int end = rows + (int) Math.exp(random.nextDouble(11));
                int first = random.nextBoolean() ? 0 : random.nextInt(end);
                plan.add(row, rows, 7 * i, first, end);
                whole.add(new Item(row, rows, 7 * i, first, end, 0, 1, 0));
            }
            check(tiling, whole, items(tiling, plan));
        }
    }

    private static void check(AttentionTiling tiling, List<Item> whole, List<Item> items) {
        assertThat(items).hasSizeLessThanOrEqualTo(tiling.mostItems(whole.size()));
        assertThat(items).isSortedAccordingTo(Comparator.comparingInt(Item::positions).reversed());
        TreeMap<Integer, List<Item>> byRow =
                items.stream().collect(Collectors.groupingBy(Item::firstRow, TreeMap::new, Collectors.toList()));
        int partial = 0;
        for (Item tile : whole) {
            List<Item> ranges = new ArrayList<>(byRow.remove(tile.firstRow()));
            ranges.sort(Comparator.comparingInt(Item::range));
            int from = tile.from();
            for (int range = 0; range < ranges.size(); range++) {
                Item item = ranges.get(range);
                assertThat(item).isEqualTo(new Item(tile.firstRow(), tile.rows(), tile.table(), from, item.end(), range,
                        ranges.size(), partial));
                assertThat(item.positions()).isPositive();
                from = item.end();
            }
            assertThat(from).isEqualTo(tile.end());
            partial += ranges.size() > 1 ? ranges.size() * tile.rows() : 0;
        }
        assertThat(byRow).isEmpty();
        assertThat((long) partial).isLessThanOrEqualTo(tiling.mostPartialRows(Integer.MAX_VALUE));
    }

    @Test
    void aLongSequenceAmongShortOnesIsSplitAndTheyAreNot() {
        int[] positions = new int[65];
        Arrays.fill(positions, 1_000);
        positions[20] = 32_000;
        List<Item> items = decode(H100, positions);
        assertThat(items.stream().filter(item -> item.firstRow() == 20)).hasSizeBetween(8, 16);
        assertThat(items.stream().filter(item -> item.firstRow() != 20)).hasSize(64);
        assertThat(items.getFirst().firstRow()).isEqualTo(20);
    }

    @Test
    void itemsKeepTheCardEvenlyBusy() {
        RandomGenerator random = new Seed(6).generator();
        for (int round = 0; round < 300; round++) {
            int[] positions =
                    random.ints(random.nextInt(1, 200)).map(i -> 1 + (int) Math.exp(random.nextDouble(11))).toArray();
            List<Item> items = decode(H100, positions);
            assertThat((double) longest(H100, items)).as(Arrays.toString(positions))
                    .isLessThanOrEqualTo(1.6 * Math.max(KernelTiles.LEAST_RANGE_POSITIONS, even(H100, items)));
        }
    }

    @Test
    void fewPositionsAreNotSplit() {
        assertThat(decode(H100, 160, 7)).hasSize(2);
        assertThat(decode(H100, 161, 7)).hasSize(3);
    }

    @Test
    void oneTokenMoreSeldomChangesTheRanges() {
        int changes = 0;
        for (int positions = 20_000; positions < 20_200; positions++) {
            changes += H100.rangePositions(64L * positions) == H100.rangePositions(64L * positions + 64) ? 0 : 1;
        }
        assertThat(changes).isLessThanOrEqualTo(1);
    }

    @Test
    void emptyItemsHaveNoRows() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment list = arena.allocate(3L * AttentionPlan.ITEM_BYTES, Integer.BYTES);
            list.fill((byte) 1);
            AttentionPlan.writeEmpty(list, AttentionPlan.ITEM_BYTES, 2);
            assertThat(Item.of(list, 0).rows()).isNotZero();
            assertThat(List.of(Item.of(list, 1).rows(), Item.of(list, 2).rows())).containsOnly(0);
        }
    }
}
