package org.inferometer.ui.shell;

/// Everything the menus and shortcuts can do.
interface MenuActions {
    void run();

    void stop();

    void openFile();

    void importResult();

    void compare();

    void saveReport();

    void exportSchedulers();

    void copyCommand();

    void showBench();

    void showResults();

    void showTimeline();

    void showDevices();

    void copyDevices();

    void toggleEvents();

    void showWholeTimeline();

    void find();

    void refresh();

    void toggleDesigner();

    void toggleTheme();

    void shortcuts();

    void about();

    void quit();
}
