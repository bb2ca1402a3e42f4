@echo off
rem Starts Inferometer with JDK 25 from JAVA_HOME or the PATH; builds it on first use.
rem Exit code 1 is a verdict and nothing else: Java ends with 1 if it cannot start, so the program says 81.
setlocal
set "HERE=%~dp0"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
for /f "tokens=3" %%v in ('"%JAVA%" -version 2^>^&1 ^| findstr /i version') do set "VERSION=%%~v"
for /f "delims=." %%m in ("%VERSION%") do set "MAJOR=%%m"
if not defined MAJOR set "MAJOR=0"
if %MAJOR% LSS 25 (
  echo JDK 25 or newer was not found. Install one or set JAVA_HOME. 1>&2
  exit /b 3
)
if not exist "%HERE%target\inferometer.jar" (
  echo Building Inferometer... 1>&2
  pushd "%HERE%"
  call mvn -B -q -Dfast -DskipTests package || exit /b 3
  popd
)
set "VECTOR="
if "%~1"=="worker" set "VECTOR=--add-modules jdk.incubator.vector"
rem Java would report these variables on its outputs.
for %%v in (JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS) do set "%%v="
rem Java does not create the folder of its reports; it would write them into the current folder.
set "REPORTS=%HERE%."
if defined INFEROMETER_WORKSPACE set "REPORTS=%INFEROMETER_WORKSPACE%"
if not exist "%REPORTS%\" set "REPORTS=%TEMP%"
"%JAVA%" %VECTOR% --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -XX:+UseSerialGC -Xms64m -Xmx1g -XX:MetaspaceSize=96m "-XX:ErrorFile=%REPORTS%\hs_err_pid%%p.log" "-XX:HeapDumpPath=%REPORTS%" -XX:-CreateCoredumpOnCrash %INFEROMETER_JAVA_OPTIONS% "-Dinferometer.home=%HERE%." -cp "%HERE%target\inferometer.jar;%HERE%target\lib\*" org.inferometer.app.Launched 0 %*
if %ERRORLEVEL%==81 exit /b 1
if %ERRORLEVEL%==1 (
  echo error: Java could not start Inferometer. Check INFEROMETER_JAVA_OPTIONS and "%HERE%target". 1>&2
  exit /b 3
)
rem The other codes of the program are 0, 2 and 3. Codes above 128 and negative ones tell of a crash.
if %ERRORLEVEL% GEQ 4 if %ERRORLEVEL% LEQ 128 exit /b 3
exit /b %ERRORLEVEL%
